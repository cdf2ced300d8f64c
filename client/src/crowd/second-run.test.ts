// A member whose body runs again, or whose forecast awaits something else, against a scripted shard.

import { afterEach, describe, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import {
  addTo,
  all,
  answer,
  ChainedShard,
  errorOf,
  integer,
  sentOf,
  shown,
  straighten,
  turn,
  twoMembers,
  type Body,
} from '../testing/chained-shard.ts';
import type { Tx } from '../transaction/tx.ts';

let claret: Claret;
afterEach(() => claret.close(0));

async function chainedTo(): Promise<ChainedShard> {
  const shard = new ChainedShard();
  claret = await shard.connect();
  return shard;
}

const two = (shard: ChainedShard, bodies: [Body, Body]) => twoMembers(shard, claret, bodies);

describe('a member whose body runs again', () => {
  /** Adds to x what it reads there; the second run waits in `hold`. */
  const heldOnce = (hold: () => Promise<void>) => {
    const seen = { runs: 0, atOnce: 0, atOnceMax: 0 };
    const body = async (tx: Tx) => {
      const run = ++seen.runs;
      seen.atOnceMax = Math.max(seen.atOnceMax, ++seen.atOnce);
      try {
        const value = await tx.counter('x').value();
        if (run === 2) await hold();
        tx.counter('x').add(1);
        return value;
      } finally {
        seen.atOnce--;
      }
    };
    return { seen, body };
  };
  const denied = { ...errorOf('denied'), key: 'x', operation: 'Counter.value' };
  /** Frames that the client handles in one turn. */
  const sayTogether = (shard: ChainedShard, frames: object[]) => {
    for (const frame of [{}, ...frames]) shard.say(frame);
  };

  it.each([
    ['answered again', answer(1, [9])],
    ['denied', { chain: '1', n: '1', error: denied }],
    ['refused', { chain: '1', n: '1', error: { ...errorOf('out_of_range', false), key: 'x' } }],
  ])('and that is %s meanwhile goes again, once that run has ended', async (how, news) => {
    const shard = await chainedTo();
    const { seen, body } = heldOnce(turn);
    const [first] = await two(shard, [body, addTo('y')]);
    sayTogether(shard, [{ members: [answer(1, [7])] }, { members: [news] }]);
    const frames = await shard.frames();
    expect(frames.flatMap(({ words }) => words)).toEqual([]);
    expect(frames.flatMap(({ withdrawn }) => withdrawn)).toEqual(how === 'answered again' ? [{ chain: '1', n: '1', count: '1' }] : []);
    expect(frames.flatMap(({ members }) => members.map(sentOf))).toMatchObject([{ n: 3, keys: ['x', 'x'] }]);
    expect(seen).toMatchObject({ runs: 3, atOnce: 0, atOnceMax: 1 });
    shard.say({ members: [answer(2, [5]), answer(3, [11])] });
    expect((await shard.word()).words).toMatchObject([{ members: ['2', '3'] }]);
    shard.say({ committed: [{ chain: '1', members: ['2', '3'], at: ['60', '61'] }] });
    expect(await first).toBe(11);
    expect(claret.counters).toMatchObject({ outs: 0, chainsBroken: 0 });
  });

  it.each([
    ['answered again', answer(1, [9])],
    ['denied', { chain: '1', n: '1', error: denied }],
  ])('and has been concluded, but that is %s before its word leaves, goes again', async (how, news) => {
    const shard = await chainedTo();
    const { body } = heldOnce(turn);
    const [first, second] = await two(shard, [addTo('x'), body]);
    // Its guess was right, so it is concluded at once.
    sayTogether(shard, [{ members: [answer(1, [1]), answer(2, [8])] }, { members: [news] }]);
    const frames = [...(await shard.frames()), ...(await shard.frames())];
    expect(frames.flatMap(({ withdrawn }) => withdrawn)).toEqual(how === 'answered again' ? [{ chain: '1', n: '1', count: '1' }] : []);
    expect(frames.flatMap(({ members }) => members.map(sentOf))).toMatchObject([{ n: 3 }]);
    expect(frames.flatMap(({ words }) => words).flatMap(({ members }: any) => members)).not.toContain('1');
    shard.say({ broken: [{ chain: '1', decided: '0', error: errorOf('chain_broken') }] });
    expect(await shard.members()).toHaveLength(2);
    shard.say({ members: [1, 2].map((n) => ({ chain: '2', n: String(n), results: [integer(20 + n)] })) });
    // Their words leave in one frame or in two.
    const worded = () => all(shard.heard, 'words').flatMap(({ chain, members }) => (chain === '2' ? members : []));
    await expect.poll(() => worded().toSorted()).toEqual(['1', '2']);
    shard.say({ committed: [{ chain: '2', members: ['1', '2'], at: ['60', '61'] }] });
    expect(new Set(await Promise.all([first, second]))).toEqual(new Set([21, 22]));
  });

  it('and that is denied after its word has left goes again', async () => {
    const shard = await chainedTo();
    const [first] = await two(shard, [addTo('x'), addTo('y')]);
    shard.say({ members: [answer(1, [7])] });
    await shard.word();
    await shard.frames();
    shard.say({ members: [{ chain: '1', n: '1', error: denied }] });
    expect(await shard.members()).toMatchObject([{ n: 3 }]);
    shard.say({ broken: [{ chain: '1', decided: '0', error: errorOf('chain_broken') }] });
    expect((await shard.members()).map(({ chain, n }) => [chain, n])).toEqual([
      [2, 1],
      [2, 2],
    ]);
    shard.say({ members: [1, 2].map((n) => ({ chain: '2', n: String(n), results: [integer(20 + n)] })) });
    await shard.frame(({ words }) => words.some(({ chain }: any) => chain === '2'));
    shard.say({ committed: [{ chain: '2', members: ['1', '2'], at: ['60', '61'] }] });
    expect(await first).toBeGreaterThan(20);
  });

  it('and then awaits something other than its operations is taken out, and goes again with locks', async () => {
    const shard = await chainedTo();
    let letGo = () => {};
    const { seen, body } = heldOnce(() => new Promise((resolve) => void (letGo = resolve)));
    const [first] = await two(shard, [body, addTo('y')]);
    shard.say({ members: [answer(1, [7]), answer(2, [8])] });
    const frames = await shard.frames();
    expect(frames.flatMap(({ withdrawn }) => withdrawn)).toEqual([{ chain: '1', n: '1', count: '1' }]);
    expect(frames.flatMap(({ words }) => words)).toMatchObject([{ members: ['2'] }]);
    expect(seen).toMatchObject({ runs: 2, atOnce: 1 });
    letGo();
    const { requests } = await shard.frame((frame) => frame.requests.length > 0);
    expect(requests).toMatchObject([{ begin: { label: 'Add', retries: 1 } }]);
    expect(seen.atOnceMax).toBe(1);
    first.catch(() => {});
  });

  it('may run a transaction of its own on the same records', async () => {
    const shard = await chainedTo();
    let runs = 0;
    const nested = async (tx: Tx) => {
      const value = await tx.counter('x').value();
      if (++runs === 2) await claret.transact('Nested', [claret.on.counter('x').add(1)]);
      tx.counter('y').add(1);
      return value;
    };
    const [first] = await two(shard, [nested, addTo('y')]);
    shard.say({ members: [answer(1, [7])] });
    const frames = await shard.frames();
    expect(frames.flatMap(({ withdrawn }) => withdrawn)).toMatchObject([{ n: '1' }]);
    expect(frames.flatMap(({ members }) => members.map(sentOf))).toMatchObject([{ n: 3, label: 'Nested' }]);
    shard.say({ members: [{ chain: '1', n: '3', withdrawals: '1', results: [], committedAt: '60' }] });
    const { requests } = await shard.frame((frame) => frame.requests.length > 0);
    expect(requests).toMatchObject([{ begin: { label: 'Add', retries: 1 } }]);
    first.catch(() => {});
  });
});

describe('a forecast', () => {
  it('is refused at once if its shard is further behind than it has time left', async () => {
    const shard = await chainedTo();
    await straighten(claret, 'Hurried');
    shard.say({ board: { at: '5', anew: true, shown: [shown('x', 1)] } });
    await shard.frames();
    shard.acknowledges = false;
    void claret.transact('First', [claret.on.counter('x').add(1)]).catch(() => {});
    await expect.poll(() => claret.load.shards[0]!.behindMs, { interval: 5 }).toBeGreaterThan(100);
    const hurried = { timeoutMs: 50 };
    const refused = { code: 'overloaded', commitState: 'none' };
    await expect(claret.transaction('Hurried', addTo('x'), hurried)).rejects.toMatchObject(refused);
    await expect(claret.transact('List', [claret.on.counter('x').add(1)], hurried)).rejects.toMatchObject(refused);
    expect(claret.counters.refused).toBe(2);
  });

  it('that awaits something other than its operations takes locks', async () => {
    const shard = await chainedTo();
    await straighten(claret, 'Waits');
    shard.say({ board: { at: '5', anew: true, shown: [shown('x', 1)] } });
    await shard.frames();
    const result = claret.transaction('Waits', async (tx) => {
      await tx.counter('x').value();
      await turn();
      await turn();
      await turn();
      tx.counter('x').add(1);
    });
    result.catch(() => {});
    const { requests } = await shard.frame((frame) => frame.requests.length > 0);
    expect(requests).toMatchObject([{ begin: { label: 'Waits', retries: 0 } }]);
    expect(shard.heard.flatMap(({ members }) => members)).toEqual([]);
  });
});
