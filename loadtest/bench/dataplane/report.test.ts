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

test('a ratio is to the unary row with as many in flight', () => {
  const rows = [rowOf('unary', 1, [span(100, 1)]), rowOf('batch', 1, [span(500, 1)]), rowOf('batch', 64, [span(500, 1)])];
  const [, , , batch, alone] = modesTable(rows).split('\n');
  expect(batch).toContain('5.0 x');
  expect(alone).not.toContain(' x');
});

test('the end of a transaction is found again in costs made up of known parts', () => {
  const [transaction, part, operation, end] = [3, 2, 0.5, 0.7];
  const cost = (operations: number, participants: number): Costs => {
    const client = transaction + participants * part;
    return [[client, operations * operation + (participants > 1 ? end : 0)]];
  };
  const found = endCost({
    nothing: [[transaction, 0]],
    two: cost(2, 1),
    four: cost(4, 1),
    eight: cost(8, 1),
    fourOnTwo: cost(4, 2),
    eightOnTwo: cost(8, 2),
  });
  expect(found.operation_us).toBeCloseTo(operation);
  expect(found.end_us).toBeCloseTo(end);
  expect(found.end_operations).toBeCloseTo(end / operation);
});
