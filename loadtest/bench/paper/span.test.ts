import { expect, it } from 'vitest';
import type { Sample } from './question.ts';
import { figuresOf, type DriverSpan } from './span.ts';

const sample = (what: Partial<Sample>): Sample => ({
  at_ms: 0,
  commits: 0,
  retries: 0,
  operations: 0,
  polled_ms: 0,
  awake_ms: 0,
  own_us: 0,
  gateways_us: [],
  machine_us: 0,
  ...what,
});

const span = (latencies_ms: number[], failures: number, last: Partial<Sample>): DriverSpan => ({
  first: sample({ gateways_us: last.gateways_us?.map(() => 0) ?? [] }),
  last: sample({ commits: latencies_ms.length, ...last }),
  latencies_ms,
  failures,
});

const fast = span(
  Array.from({ length: 90 }, () => 1),
  1,
  {
    at_ms: 1000,
    operations: 360,
    retries: 10,
    own_us: 500_000,
    polled_ms: 100,
    awake_ms: 500,
    gateways_us: [400_000],
    machine_us: 1_500_000,
  },
);
const slow = span(
  Array.from({ length: 60 }, () => 11),
  2,
  // Its machine's time is not read: the first driver's counts.
  { at_ms: 2000, operations: 240, retries: 5, own_us: 400_000, machine_us: 9_000_000 },
);

it('the rates of drivers are added up, each over its own span, and their counts are shared', () => {
  const both = figuresOf([fast, slow]);
  expect(both.seconds).toBe(1);
  expect(both.txn_per_s).toBeCloseTo(90 + 30);
  expect(both.retries_per_commit).toBeCloseTo(15 / 150);
  expect(both.operations_per_commit).toBeCloseTo(600 / 150);
  expect(both.failures).toBe(3);
});

it('percentiles are those of the transactions of all drivers together', () => {
  expect(figuresOf([fast, slow])).toMatchObject({ p50_ms: 1, p99_ms: 11, mean_ms: 5 });
  expect(figuresOf([slow, fast])).toMatchObject({ p50_ms: 1, p99_ms: 11, mean_ms: 5 });
});

it("the CPU time of every driver is a driver's, and none of it another process's", () => {
  const both = figuresOf([fast, slow]);
  expect(both.driver_cpu).toBeCloseTo(0.5 + 0.2);
  expect(both.driver_polling).toBeCloseTo(0.1);
  expect(both.gateway_cpu).toEqual([0.4]);
  expect(both.others_cpu).toBeCloseTo(1.5 - 0.5 - 0.4 - 0.4);
  expect(both.client_us_per_op).toBeCloseTo((900_000 - 100_000) / 600);
});

it('if nothing ended, the span is a lower bound of the latencies', () => {
  expect(figuresOf([span([], 0, { at_ms: 700 })])).toMatchObject({ txn_per_s: 0, p50_ms: 700, p99_ms: 700, mean_ms: 700 });
});
