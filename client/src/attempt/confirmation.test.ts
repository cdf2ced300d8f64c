// A body that throws is asked about before its error is passed on, where what it was told may not go together.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Tx } from '../transaction/tx.ts';
import { A, A2, B, integer, warranting, type WarrantingShard, type World } from '../testing/warranting-shards.ts';

let world: World;
beforeEach(async () => void (world = await warranting({}, 'off')));
afterEach(() => world.claret.close(0));

/** Answers the next request with that number. Returns the number of its attempt. */
async function answer(shard: WarrantingShard, value: number): Promise<string> {
  const [{ attempt }] = await shard.requests();
  shard.say({ replies: [{ attempt, results: [integer(value)] }] });
  return attempt;
}

describe('a body that throws', () => {
  it('after it has read at several shards passes its error on once all of them say that they still have the attempt', async () => {
    const { a, b, claret } = world;
    let ended = false;
    const reading = claret.transaction('Throw', async (tx) => {
      await tx.counter(A).value();
      await tx.counter(B).value();
      throw new Error('mine');
    });
    reading.catch(() => (ended = true));
    const attempt = await answer(a, 1);
    await answer(b, 2);
    const asked = [...(await a.requests()), ...(await b.requests())];
    expect(asked.map(({ operations, sentBefore, prepare }) => [operations, Number(sentBefore), prepare])).toEqual([
      [[], 1, null],
      [[], 1, null],
    ]);
    a.say({ replies: [{ attempt }] });
    await world.rest();
    expect(ended).toBe(false);
    b.say({ replies: [{ attempt }] });
    await expect(reading).rejects.toThrow('mine');
  });

  it('runs again if one of them has ended the attempt meanwhile', async () => {
    const { a, b, claret, environment } = world;
    let runs = 0;
    const reading = claret.transaction('Throw', async (tx) => {
      runs++;
      const one = await tx.counter(A).value();
      const other = await tx.counter(B).value();
      if (one !== other) throw new Error('they differ');
      return one;
    });
    const attempt = await answer(a, 1);
    await answer(b, 2);
    await world.rest();
    b.say({ replies: [{ attempt }] });
    a.say({ replies: [{ attempt, error: { code: 'wounded', message: 'w', retryable: true } }] });
    await world.rest();
    environment.pass(50);
    const again = await answer(a, 2);
    await answer(b, 2);
    for (const shard of [a, b]) {
      await shard.requests();
      shard.say({ replies: [{ attempt: again, votedAt: '2000' }] });
    }
    expect([await reading, runs]).toEqual([2, 2]);
  });

  it('is not asked about if all is of one shard, or nothing was told', async () => {
    const { a, b, claret } = world;
    const throwing = (read: (tx: Tx) => Promise<unknown>) =>
      claret.transaction('Throw', async (tx) => {
        await read(tx);
        throw new Error('mine');
      });
    const alone = throwing(async (tx) => {
      await tx.counter(A).value();
      await tx.counter(A2).value();
    });
    await answer(a, 1);
    await answer(a, 1);
    await expect(alone).rejects.toThrow('mine');
    expect((await a.requests()).length).toBe(0);
    const changing = throwing(async (tx) => {
      tx.counter(B).add(1);
      await tx.counter(A).value();
    });
    await answer(a, 1);
    await expect(changing).rejects.toThrow('mine');
    expect([...(await a.requests()), ...(await b.requests())].length).toBe(0);
  });

  it('waits for what it has asked before', async () => {
    const { a, b, claret } = world;
    const reading = claret.transaction('Throw', async (tx) => {
      await tx.counter(A).value();
      await tx.counter(B).value();
      void tx
        .counter(A2)
        .value()
        .then(undefined, () => {});
      await Promise.resolve();
      await tx.counter(B).value();
      throw new Error('mine');
    });
    const attempt = await answer(a, 1);
    await answer(b, 2);
    await a.requests();
    await answer(b, 2);
    await b.requests();
    expect(await a.requests()).toEqual([]);
    a.say({ replies: [{ attempt, results: [integer(3)] }] });
    const [asked] = await a.requests();
    expect([asked.operations, Number(asked.sentBefore)]).toEqual([[], 2]);
    for (const shard of [a, b]) shard.say({ replies: [{ attempt }] });
    await expect(reading).rejects.toThrow('mine');
  });
});
