import { expect, test } from 'vitest';
import { randomFrom } from '../../kit/random.ts';
import { RECORDS, Traffic, type Shares } from './traffic.ts';

const SEED = 5;
const trafficOf = (shares: Partial<Shares>) => new Traffic({ natives: 0.5, reads: 0.5, size: 4, alpha: 1, ...shares }, randomFrom(SEED));
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

test('the share of natives is exact at every moment, up to one transaction', () => {
  for (const natives of [0, 0.1, 0.3, 0.5, 0.9, 1]) {
    for (const size of [4, 20]) {
      const off: number[] = [];
      let [alone, operations] = [0, 0];
      for (const { isNative, steps } of trafficOf({ natives, size }).items) {
        operations += steps.length;
        if (isNative) alone++;
        off.push(Math.abs(alone - natives * operations));
      }
      expect(Math.max(...off), `natives ${natives}, size ${size}, seed ${SEED}`).toBeLessThanOrEqual(size);
    }
  }
});

test('natives and transactions have the same share of reads', () => {
  for (const reads of [0, 0.5, 0.9, 1]) {
    const { items } = trafficOf({ reads });
    for (const isNative of [true, false]) {
      const steps = items.filter((item) => item.isNative === isNative).flatMap((item) => item.steps);
      expect(Math.abs(sum(steps.map((step) => Number(step.reads))) - reads * steps.length), `seed ${SEED}`).toBeLessThanOrEqual(50);
    }
  }
});

test('all sizes of transactions are equally frequent', () => {
  const sizes = trafficOf({ natives: 0, size: 4 }).items.map(({ steps }) => steps.length);
  expect(new Set(sizes)).toEqual(new Set([1, 2, 3, 4]));
  expect(sum(sizes) / sizes.length, `seed ${SEED}`).toBeCloseTo(2.5, 1);
});

test('an item names the counters to which it adds, and operations that read add to none', () => {
  for (const { steps, addsTo } of trafficOf({}).items.slice(0, 1_000)) {
    expect(addsTo.map((number) => `mediator:${number}`)).toEqual(steps.filter(({ reads }) => !reads).map(({ operation }) => operation.key));
    for (const { operation, reads } of steps) expect(operation.spec.name).toBe(reads ? 'Counter.value' : 'Counter.add');
  }
});

test('records are skewed as told, and the traffic repeats', () => {
  const shareOfFirst = (alpha: number) => {
    const keys = trafficOf({ alpha }).items.flatMap(({ steps }) => steps.map(({ operation }) => operation.key));
    return keys.filter((key) => key === 'mediator:0').length / keys.length;
  };
  expect(shareOfFirst(0)).toBeLessThan(10 / RECORDS);
  expect(shareOfFirst(1.4), `seed ${SEED}`).toBeCloseTo(0.33, 1);
  const traffic = trafficOf({});
  const once = traffic.items.map(() => traffic.next());
  expect(traffic.next()).toBe(once[0]);
});
