import { describe, expect, it, vi } from 'vitest';
import { ApiProblem } from './client.ts';
import { QueryCache } from './queryCache.ts';

function cacheOver(fetch: (path: string) => Promise<unknown>) {
  let now_ms = 1_000_000;
  return { cache: new QueryCache(fetch, () => now_ms), pass: (ms: number) => (now_ms += ms) };
}

describe('the query cache', () => {
  it('reads a path once for two readers', async () => {
    const fetch = vi.fn(async () => 'answer');
    const { cache } = cacheOver(fetch);
    await Promise.all([cache.load('/a'), cache.load('/a')]);
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(cache.state('/a')).toEqual({ data: 'answer', problem: null, isLoading: false });
  });
  it('takes an answer from elsewhere for the path’s own, also for those who read meanwhile', async () => {
    const fetch = vi.fn(async () => 'own');
    const { cache, pass } = cacheOver(fetch);
    await Promise.all([cache.load('/a', false, async () => 'elsewhere'), cache.load('/a')]);
    await cache.load('/a');
    expect([cache.state('/a').data, fetch.mock.calls.length]).toEqual(['elsewhere', 0]);
    pass(60_000);
    await cache.load('/a');
    expect(cache.state('/a').data).toBe('own');
  });
  it('shows the old answer while it reads again', async () => {
    let answer = 'old';
    const { cache, pass } = cacheOver(async () => answer);
    await cache.load('/a');
    pass(60_000);
    answer = 'new';
    const reading = cache.load('/a');
    expect(cache.state('/a').data).toBe('old');
    await reading;
    expect(cache.state('/a').data).toBe('new');
  });
  it('reloads shown answers that failed for want of a connection or of a part of the store, and no others', async () => {
    const asked: string[] = [];
    let isDown = true;
    const { cache } = cacheOver(async (path) => {
      asked.push(path);
      if (path === '/wrong') throw new ApiProblem('invalid_input', 'wrong');
      if (isDown) throw new ApiProblem(path === '/partly' ? 'busy' : 'network', 'gone');
      return 'answer';
    });
    for (const path of ['/shown', '/partly', '/wrong']) cache.subscribe(path, () => {});
    await Promise.all(['/shown', '/partly', '/wrong', '/left'].map((path) => cache.load(path)));
    isDown = false;
    asked.length = 0;
    cache.retry();
    await vi.waitFor(() => expect(cache.state('/shown').data).toBe('answer'));
    await vi.waitFor(() => expect(cache.state('/partly').data).toBe('answer'));
    expect(asked).toEqual(['/shown', '/partly']);
  });
  it('keeps the old answer when reloading fails, and reports the failure', async () => {
    let isDown = false;
    const { cache } = cacheOver(async () => {
      if (isDown) throw new ApiProblem('network', 'gone');
      return 'old';
    });
    await cache.load('/a');
    isDown = true;
    await cache.load('/a', true);
    expect(cache.state('/a').data).toBe('old');
    expect(cache.state('/a').problem?.code).toBe('network');
  });
  it('never lets a slow earlier answer overwrite a later one', async () => {
    const answers: ((value: string) => void)[] = [];
    const { cache } = cacheOver(() => new Promise((resolve) => answers.push(resolve)));
    const first = cache.load('/a');
    const second = cache.load('/a', true);
    answers[1]!('second');
    await second;
    answers[0]!('first');
    await first;
    expect(cache.state('/a').data).toBe('second');
  });
  it('reloads shown answers when another person logs in, and drops the rest', async () => {
    let who = 'ada';
    const { cache } = cacheOver(async (path) => `${path} for ${who}`);
    await Promise.all([cache.load('/shown'), cache.load('/hidden')]);
    cache.subscribe('/shown', () => {});
    who = 'ben';
    cache.clear();
    await cache.load('/shown');
    expect(cache.state('/shown').data).toBe('/shown for ben');
    expect(cache.state('/hidden').data).toBeNull();
    expect(cache.audience).toBe(1);
  });
});
