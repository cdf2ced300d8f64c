// What leaves with an awaited operation, against real shards: what was issued for other shards before, if it has a result.

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import { inProcessCluster, type InProcessCluster } from '../testing/in-process-cluster.ts';
import { keyOn } from '../testing/keys.ts';
import { Tap } from '../testing/tap.ts';

const HERE = keyOn(0, 'here');
const THERE = keyOn(1, 'there');
const STOCK = keyOn(1, 'stock');

let cluster: InProcessCluster;
let tap: Tap;
let claret: Claret;

beforeEach(async () => {
  cluster = await inProcessCluster({ shards: 2 });
  tap = new Tap(cluster.transport);
  claret = await cluster.connect({ combining: 'off', transport: tap });
  await claret.transact('Fill', [
    claret.on.counter(HERE).add(1),
    claret.on.counter(THERE).add(2),
    claret.on.boundedCounter(STOCK).increment(3),
  ]);
  tap.seen.length = 0;
});
afterEach(() => cluster.stop());

it('what has a result goes along, so that awaiting it next costs no round trip', async () => {
  const sum = await claret.transaction('Sum', async (tx) => {
    const there = tx.counter(THERE).value();
    const here = await tx.counter(HERE).value();
    return Number(here) + Number(await there);
  });
  expect(sum).toBe(3);
  expect(tap.seen.slice(0, 2).sort()).toEqual(['0: value', '1: value']);
  expect(tap.seen.slice(4).filter((seen) => seen.includes('value'))).toEqual([]);
});

it('what answers nothing stays until the end', async () => {
  await claret.transaction('Add', async (tx) => {
    tx.counter(THERE).add(5);
    await tx.counter(HERE).value();
  });
  expect(tap.seen.slice(0, 2)).toEqual(['0: value', '0 answers']);
  expect(tap.seen.slice(2, 4).sort()).toEqual(['0: vote', '1: add, vote']);
});

it('what was issued behind it at its own shard leaves with it, and each result is its own', async () => {
  const results = await claret.transaction('Take', async (tx) => {
    const taken = tx.boundedCounter(STOCK).tryDecrement(1);
    const refused = tx.boundedCounter(STOCK).tryDecrement(9);
    const here = await tx.counter(HERE).value();
    return [here, await taken, await refused];
  });
  expect(results).toEqual([1, true, false]);
  expect(tap.seen.slice(0, 2).sort()).toEqual(['0: value', '1: tryDecrement, tryDecrement']);
});
