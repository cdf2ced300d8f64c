import { afterEach, describe, expect, it, vi } from 'vitest';
import { asProblem, isSurelyUndone, post } from './client.ts';
import { timeOfRequestKey } from './requestKeys.ts';

const answers = (answer: () => Promise<Response>) => vi.stubGlobal('fetch', answer);
const problemOf = (sent: Promise<unknown>) => sent.then(() => expect.unreachable(), asProblem);
const refusal = (code: string, status: number) =>
  new Response(JSON.stringify({ code, status, detail: 'No.' }), { status, headers: { 'content-type': 'application/problem+json' } });

describe('the outcome of a request', () => {
  afterEach(() => void vi.unstubAllGlobals());

  it('is certain if the server refused it', async () => {
    for (const [code, status] of [
      ['text_empty', 400],
      ['not_logged_in', 401],
      ['busy', 503],
    ] as const) {
      answers(async () => refusal(code, status));
      const problem = await problemOf(post('/api/posts'));
      expect([problem.code, isSurelyUndone(problem.code)]).toEqual([code, true]);
    }
  });
  it('is unknown without an answer, or if the answer does not state it', async () => {
    for (const [answer, code] of [
      [() => Promise.reject(new TypeError('Failed to fetch')), 'network'],
      [async () => new Response('<h1>Bad gateway</h1>', { status: 502 }), 'unexpected'],
      [async () => new Response('{"entr', { status: 201 }), 'unexpected'],
      [async () => refusal('outcome_unknown', 503), 'outcome_unknown'],
      [async () => refusal('internal', 500), 'internal'],
    ] as const) {
      answers(answer);
      const problem = await problemOf(post('/api/posts'));
      expect([problem.code, isSurelyUndone(problem.code)]).toEqual([code, false]);
      expect(problem.message).not.toMatch(/nothing/i);
    }
  });
});

describe('a repeated request', () => {
  afterEach(() => void vi.unstubAllGlobals());

  it('carries the same key until its outcome is known', async () => {
    const keys: string[] = [];
    const ended = async (answer: () => Promise<Response>) => {
      vi.stubGlobal(
        'fetch',
        (_path: string, { headers }: { headers: Record<string, string> }) => (keys.push(headers['idempotency-key']!), answer()),
      );
      return post('/api/items/1/bids', { amount_cents: 7 }).then(
        () => 'done',
        (thrown) => asProblem(thrown).code,
      );
    };
    const told = [
      await ended(() => Promise.reject(new TypeError('Failed to fetch'))),
      await ended(async () => refusal('busy', 503)),
      await ended(async () => refusal('not_logged_in', 401)),
      await ended(async () => Response.json({ accepted: true })),
      await ended(async () => refusal('busy', 503)),
    ];
    expect(told).toEqual(['network', 'outcome_unknown', 'not_logged_in', 'done', 'busy']);
    expect(timeOfRequestKey(keys[0]!)).not.toBeNull();
    expect(keys.map((key) => keys.indexOf(key))).toEqual([0, 0, 0, 0, 4]);
  });
});
