// Results that a body knows from elsewhere, against real shards: they cost no message, and are compared before anything commits.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Claret } from '../claret.ts';
import { inProcessCluster, type InProcessCluster } from '../testing/in-process-cluster.ts';
import { keyOn } from '../testing/keys.ts';
import { Tap } from '../testing/tap.ts';

const TERMS = keyOn(0, 'terms');
const BIDS = keyOn(0, 'bids');
const ELSEWHERE = keyOn(1, 'elsewhere');

let cluster: InProcessCluster;
let tap: Tap;
let claret: Claret;
let other: Claret;

beforeEach(async () => {
  cluster = await inProcessCluster({ shards: 2 });
  tap = new Tap(cluster.transport);
  claret = await cluster.connect({ combining: 'off', transport: tap });
  other = await cluster.connect({ combining: 'off' });
  await claret.transact('Open', [claret.on.dict(TERMS).set({ status: 'open', price: 10 })]);
  tap.seen.length = 0;
});
afterEach(() => cluster.stop());

const terms = () => claret.on.dict(TERMS).get('status', 'price');
const count = async (key = BIDS) => (await other.transact('Count', [other.on.counter(key).value()]))[0];
const close = () => other.transact('Close', [other.on.dict(TERMS).set({ status: 'closed' })]);

/** Adds 1 if the terms are open, and returns them. */
const bid = (guess: [string, number] | undefined, key = BIDS, saw: unknown[] = []) =>
  claret.transaction('Bid', async (tx) => {
    const told = await tx.perform(terms(), { guess });
    saw.push([...told]);
    if (told[0] !== 'open') throw new Error('closed');
    tx.counter(key).add(1);
    return told;
  });

describe('a result that is guessed', () => {
  it('costs no message of its own, if it is right', async () => {
    expect(await bid(['open', 10])).toEqual(['open', 10]);
    expect(tap.seen).toEqual(['0: get, add, vote', '0 answers']);
    expect(await count()).toBe(1);
  });

  it('is compared at its shard, if the changes are at another one', async () => {
    expect(await bid(['open', 10], ELSEWHERE)).toEqual(['open', 10]);
    expect(await count(ELSEWHERE)).toBe(1);
    await close();
    await expect(bid(['open', 10], ELSEWHERE)).rejects.toThrow('closed');
    expect(await count(ELSEWHERE)).toBe(1);
  });

  it('is read, if it was wrong: nothing that follows from the guess is kept', async () => {
    const saw: unknown[] = [];
    expect(await bid(['open', 9], BIDS, saw)).toEqual(['open', 10]);
    expect(saw).toEqual([
      ['open', 9],
      ['open', 10],
    ]);
    expect(await count()).toBe(1);
    expect(claret.counters.retries).toBe(1);
  });

  it('that makes the body throw is read before the caller is told', async () => {
    const saw: unknown[] = [];
    expect(await bid(['closed', 10], BIDS, saw)).toEqual(['open', 10]);
    expect(saw).toHaveLength(2);
    await close();
    await expect(bid(['closed', 10])).rejects.toThrow('closed');
    expect(await count()).toBe(1);
  });

  it('tells kinds and lengths apart, and what is absent', async () => {
    const absent = () => claret.on.register(keyOn(0, 'absent')).get();
    const look = (guess: unknown) => claret.transaction('Look', async (tx) => tx.perform(absent(), { guess: guess as null }));
    expect(await look(null)).toBeNull();
    expect(claret.counters.retries).toBe(0);
    for (const wrong of [0, '', false]) expect(await look(wrong)).toBeNull();
    expect(claret.counters.retries).toBe(3);
    for (const wrong of [['open'], ['open', '10'], ['open', 10.5], []]) expect(await bid(wrong as never)).toEqual(['open', 10]);
    expect(claret.counters.retries).toBe(7);
  });

  it('may be a list of items with their scores', async () => {
    const [board, best] = [keyOn(0, 'board'), keyOn(0, 'best')];
    await other.transact('Fill', [
      other.on.scoredSet(board).add('ann', -7),
      other.on.scoredSet(board).add('ben', 2 ** 40),
      other.on.topK(best).add('ann', 7),
      other.on.topK(best).add('ben', 0.5),
    ]);
    type Guesses = { range?: [string, number][]; top?: [string, number][]; max?: [string, number] | null };
    const look = async ({ range, top, max }: Guesses) => {
      tap.seen.length = 0;
      const told = await claret.transaction('Look', async (tx) => {
        tx.counter(BIDS).add(1);
        return [
          await tx.perform(claret.on.scoredSet(board).range(0, -1), { guess: range }),
          await tx.perform(claret.on.topK(best).top(2), { guess: top }),
          await tx.perform(claret.on.topK(best).max(), { guess: max }),
          await tx.perform(claret.on.topK(keyOn(0, 'nobody')).max(), { guess: null }),
          await tx.perform(claret.on.scoredSet(keyOn(0, 'nothing')).range(0, -1), { guess: [] }),
        ];
      });
      expect(told).toEqual([right.range, right.top, right.max, null, []]);
    };
    const right: Required<Guesses> = {
      range: [
        ['ann', -7],
        ['ben', 2 ** 40],
      ],
      top: [
        ['ann', 7],
        ['ben', 0.5],
      ],
      max: ['ann', 7],
    };
    await look(right);
    expect(claret.counters.retries).toBe(0);
    const wrong: Guesses[] = [
      { ...right, range: right.range.toReversed() },
      { ...right, range: [['ann', -7]] },
      { ...right, top: [['ann', 7]] },
      { ...right, top: [...right.top.slice(0, 1), ['ben', 0.25]] },
      { ...right, max: ['ann', 7.5] },
      { ...right, max: null },
    ];
    for (const guesses of wrong) await look(guesses);
    expect(claret.counters.retries).toBe(wrong.length);
  });

  it('is of the state before the transaction, as all results', async () => {
    const add = (guess: number) =>
      claret.transaction('Add', async (tx) => {
        tx.counter(BIDS).add(5);
        return tx.perform(claret.on.counter(BIDS).value(), { guess });
      });
    expect([await add(0), await add(5)]).toEqual([0, 5]);
    expect(claret.counters.retries).toBe(0);
    expect(await add(5)).toBe(10);
    expect(claret.counters.retries).toBe(1);
  });

  it('is compared also if it fills a piece of a large transaction, which leaves at once', async () => {
    const results = await claret.transaction('Large', async (tx) => {
      const before = await tx.counter(BIDS).value();
      // So much that the piece leaves at once.
      for (let n = 1; n < 512; n++) void tx.set(keyOn(0, 'many')).contains(`${n} ${'x'.repeat(250)}`);
      const told = await tx.perform(terms(), { guess: ['open', 9] });
      return [before, told, await tx.set(keyOn(0, 's')).size()];
    });
    expect(results).toEqual([0, ['open', 10], 0]);
    expect(claret.counters.retries).toBe(1);
  });

  it('is not taken from the last attempt, nor from one that reads a snapshot', async () => {
    const saw: unknown[] = [];
    const once = (options: object) =>
      claret.transaction('Once', async (tx) => saw.push([...(await tx.perform(terms(), { guess: ['open', 9] }))]), options);
    await once({ attemptsMax: 1 });
    await once({ isolation: 'snapshot' });
    expect(saw).toEqual([
      ['open', 10],
      ['open', 10],
    ]);
  });

  it('is read if it is too long to be sent beside the longest arguments', async () => {
    const other = () => claret.on.register(BIDS).get();
    const look = (length: number) => claret.transaction('Look', async (tx) => tx.perform(other(), { guess: 'x'.repeat(length) }));
    expect([await look(60_000), await look(3_000_000)]).toEqual([null, null]);
    expect(claret.counters.retries).toBe(1);
  });

  it('is right or read for each of many that bid while the terms change', async () => {
    let closed = false;
    const many = Array.from({ length: 60 }, (_, n) =>
      bid(['open', 10], n % 2 === 0 ? BIDS : ELSEWHERE).then(
        () => 1,
        () => 0,
      ),
    );
    const closing = close().then(() => (closed = true));
    const made = (await Promise.all(many)).reduce((sum, one) => sum + one, 0);
    await closing;
    expect(closed).toBe(true);
    expect(Number(await count()) + Number(await count(ELSEWHERE))).toBe(made);
    await expect(bid(['open', 10])).rejects.toThrow('closed');
  });

  it('leaves to the readings beside it the results that their shard promises', async () => {
    for (const { shard } of cluster.hosts) {
      const conditions = { locks: 'abstract', phasing: true, combining: 'off', warranties: 'auto' } as const;
      shard.setConditions(conditions, Date.now(), performance.now());
    }
    const look = () =>
      claret.transaction('Look', (tx) => {
        const status = tx.perform(terms(), { guess: ['open', 10] });
        const others = [BIDS, keyOn(0, 'other')].map((key) => tx.perform(claret.on.counter(key).value()));
        return Promise.all([status, ...others]);
      });
    await vi.waitFor(async () => {
      expect(await look()).toEqual([['open', 10], 0, 0]);
      expect(claret.counters.warrantedAnswers).toBeGreaterThan(20);
    });
  });
});
