// Lists with expectations, against real shards: what holds costs one round trip, and what does not changes nothing.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import type { Description } from '../operation/description.ts';
import { inProcessCluster, type InProcessCluster } from '../testing/in-process-cluster.ts';
import { keyOn } from '../testing/keys.ts';
import { Tap } from '../testing/tap.ts';
import { performExpecting, type Step } from './expectations.ts';

const PRICE = keyOn(0, 'price');
const COUNT = keyOn(0, 'count');
const ELSEWHERE = keyOn(1, 'elsewhere');
const RANKS = keyOn(0, 'ranks');
const STOCK = keyOn(0, 'stock');

let cluster: InProcessCluster;
let tap: Tap;
let claret: Claret;
beforeEach(async () => {
  cluster = await inProcessCluster({ shards: 2 });
  tap = new Tap(cluster.transport);
  claret = await cluster.connect({ combining: 'off', transport: tap });
  await claret.transact('Open', [
    claret.on.register(PRICE).set(10),
    claret.on.topK(RANKS).add('a', 5),
    claret.on.boundedCounter(STOCK).increment(3),
  ]);
  tap.seen.length = 0;
});
afterEach(() => cluster.stop());

const isExpected = <Result>(description: Description<Result>, expected: Result): Step => ({ description, expected });

class Unmet extends Error {
  readonly told: [index: number, result: unknown][];

  constructor(told: [index: number, result: unknown][]) {
    super('unmet');
    this.told = told;
  }
}

/** The results, or what is unmet. */
async function run(steps: readonly Step[], client = claret): Promise<unknown[] | Unmet> {
  const body = client.transaction('Run', async (tx) => {
    const { operations, unmet } = await performExpecting(tx, steps, (result) => result);
    if (unmet.length > 0) throw new Unmet(unmet.map(({ step, result }) => [steps.indexOf(step), result]));
    return operations;
  });
  return body.then(
    (operations) => operations.map(({ value }) => value),
    (error: unknown) => {
      if (error instanceof Unmet) return error;
      throw error;
    },
  );
}

const price = (expected: number | null, key = PRICE) => isExpected(claret.on.register(key).get(), expected);
const raise = (to: number, key = PRICE): Step => ({ description: claret.on.register(key).set(to) });
const tally = (key = COUNT): Step => ({ description: claret.on.counter(key).add(1) });
const state = () =>
  claret.transact('State', [claret.on.register(PRICE).get(), claret.on.counter(COUNT).value(), claret.on.counter(ELSEWHERE).value()]);

describe('a list with expectations', () => {
  it('takes one round trip where all of them hold, also with results that nobody expects', async () => {
    const value: Step = { description: claret.on.counter(COUNT).value() };
    expect(await run([price(10), raise(11), tally(), value])).toEqual([10, undefined, undefined, 0]);
    expect(tap.seen).toEqual(['0: get, value, set, add, vote', '0 answers']);
    expect(await state()).toEqual([11, 1, 0]);
  });

  it('changes nothing where one does not hold, and tells each of these as it is', async () => {
    const steps = [price(10), raise(12), tally(), price(9), isExpected(claret.on.counter(ELSEWHERE).value(), 1), tally(ELSEWHERE)];
    expect(await run(steps)).toMatchObject({
      told: [
        [3, 10],
        [4, 0],
      ],
    });
    expect(await state()).toEqual([10, 0, 0]);
  });

  it('compares what cannot be guessed, at the price of a round trip', async () => {
    const top = (score: number) => isExpected(claret.on.topK(RANKS).top(2), [['a', score]]);
    expect(await run([top(5), raise(11)])).toEqual([[['a', 5]], undefined]);
    expect(await run([top(4), raise(12)])).toMatchObject({ told: [[0, [['a', 5]]]] });
    const take = (n: number, isEnough: boolean) => isExpected(claret.on.boundedCounter(STOCK).tryDecrement(n), isEnough);
    expect(await run([take(2, true), tally()])).toEqual([true, undefined]);
    expect(await run([take(2, true), tally()])).toMatchObject({ told: [[0, false]] });
    expect(await run([take(1, false), tally()])).toMatchObject({ told: [[0, true]] });
    expect(await state()).toEqual([11, 1, 0]);
    expect(await claret.native.boundedCounter(STOCK).value()).toBe(1);
  });

  it.each(['off', 'always'] as const)('loses no update of many that compare and set at once (combining: %s)', async (combining) => {
    const clients = await Promise.all([1, 2].map(() => cluster.connect({ combining })));
    let told = 0;
    const add = async (client: Claret) => {
      for (let known = 10; ;) {
        const done = await run([price(known), raise(known + 1), tally(ELSEWHERE)], client);
        if (!(done instanceof Unmet)) return;
        told++;
        expect(done.told[0]![1]).not.toBe(known);
        known = Number(done.told[0]![1]);
      }
    };
    await Promise.all(Array.from({ length: 40 }, (_, i) => add(clients[i % 2]!)));
    expect(await state()).toEqual([50, 0, 40]);
    expect(told).toBeGreaterThan(0);
  });

  it.each(['off', 'always'] as const)('lets as many take from a stock as there is (combining: %s)', async (combining) => {
    const clients = await Promise.all([1, 2].map(() => cluster.connect({ combining })));
    await claret.native.boundedCounter(STOCK).increment(17);
    const take = isExpected(claret.on.boundedCounter(STOCK).tryDecrement(1), true);
    const taken = await Promise.all(Array.from({ length: 60 }, (_, i) => run([take, tally(ELSEWHERE), tally()], clients[i % 2])));
    expect(taken.filter((done) => !(done instanceof Unmet))).toHaveLength(20);
    expect(await state()).toEqual([10, 20, 20]);
    expect(await claret.native.boundedCounter(STOCK).value()).toBe(0);
  });
});
