import { expect, test } from 'vitest';
import { endCost, modesTable, rowOf, type Costs } from './report.ts';

const span = (count: number, server_cpu_us: number) => ({ seconds: 2, count, server_cpu_us, client_cpu_us: 3000 });

test('a row holds the median of each figure over the rounds', () => {
  expect(rowOf('batch', 64, [span(1000, 500), span(3000, 6000), span(2000, 2000)])).toEqual({
    mode: 'batch',
    in_flight: 64,
    ops_per_s: 1000,
    gateway_cpu_us_per_op: 1,
    client_cpu_us_per_op: 1.5,
  });
});

test('a ratio is to the unary row with the same number in flight', () => {
  const rows = [rowOf('unary', 1, [span(100, 1)]), rowOf('batch', 1, [span(500, 1)]), rowOf('batch', 64, [span(500, 1)])];
  const [, , , batch, alone] = modesTable(rows).split('\n');
  expect(batch).toContain('5.0 x');
  expect(alone).not.toContain(' x');
});

test("the cost of a transaction's end is recovered from costs made up of known parts", () => {
  const [transaction, part, operation, held, end] = [3, 2, 0.5, 0.8, 0.7];
  const one = (operations: number): Costs => [[transaction, part + operations * operation]];
  const two = (operations: number): Costs => [[transaction + end / 2, 2 * part + operations * held + end / 2]];
  const found = endCost({ nothing: [[transaction, 0]], four: one(4), sixteen: one(16), fourOnTwo: two(4), sixteenOnTwo: two(16) });
  expect(found.operation_us).toBeCloseTo(operation);
  expect(found.held_operation_us).toBeCloseTo(held);
  expect(found.end_us).toBeCloseTo(end);
  expect(found.end_operations).toBeCloseTo(end / held);
});
