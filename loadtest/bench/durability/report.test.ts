import { expect, test } from 'vitest';
import { goalLine, rowsOf, shareOf, workloadTable, type Cell } from './report.ts';

const cell = (durability: Cell['durability'], txn_per_s: number, more: Partial<Cell> = {}): Cell => ({
  workload: 'rubis',
  system: 'claret',
  durability,
  clients: 256,
  txn_per_s,
  p99_ms: 5,
  round: 0,
  ...more,
});
const SYNC = { workload: 'rubis', system: 'claret', durability: 'sync', clients: 256 } as const;

test('a row is the median of its rounds, with exactly the agreed names', () => {
  const rows = rowsOf([
    cell('sync', 10, { p99_ms: 9 }),
    cell('none', 90),
    cell('sync', 30, { round: 1, p99_ms: 7 }),
    cell('sync', 20, { round: 2, p99_ms: 1 }),
    cell('sync', 4, { clients: 16 }),
  ]);
  expect(rows).toEqual([
    { workload: 'rubis', system: 'claret', durability: 'none', clients: 256, txn_per_s: 90, p99_ms: 5 },
    { workload: 'rubis', system: 'claret', durability: 'sync', clients: 256, txn_per_s: 20, p99_ms: 7 },
    { workload: 'rubis', system: 'claret', durability: 'sync', clients: 16, txn_per_s: 4, p99_ms: 5 },
  ]);
});

test("a share is the median of the rounds' ratios: a slower machine in one round changes nothing", () => {
  const cells = [1, 0.1, 1].flatMap((speed, round) => [cell('none', 1_000 * speed, { round }), cell('sync', 700 * speed, { round })]);
  expect(shareOf('none', cells, SYNC)).toBeCloseTo(0.7);
  expect(shareOf('none', [...cells, cell('sync', 900, { round: 3 })], SYNC), 'a round without its counterpart').toBeCloseTo(0.7);
});

test('a share compares the same system, workload and number of clients', () => {
  const others = [cell('none', 1, { system: 'redis' }), cell('none', 1, { workload: 'rawmix' }), cell('none', 1, { clients: 16 })];
  expect(shareOf('none', [cell('sync', 50), ...others], SYNC)).toBeNull();
  expect(shareOf('none', [cell('sync', 50), cell('none', 100), ...others], SYNC)).toBe(0.5);
});

test('a table has a line for each system, with the throughput that durability leaves', () => {
  const lines = workloadTable(
    [
      cell('none', 2_000),
      cell('sync', 1_500),
      cell('jetstream', 600),
      cell('always', 10, { system: 'redis' }),
      cell('none', 1, { workload: 'rawmix' }),
    ],
    'rubis',
  ).split('\n');
  expect(lines).toHaveLength(6);
  expect(lines[3]).toMatch(/^claret sync +256 +1,500 +75 % +5\.00$/);
  expect(lines[4], 'a replicated log beside a local one').toMatch(/^claret jetstream +256 +600 +30 % +40 % +5\.00$/);
  expect(lines[5]).toMatch(/^redis always +256 +10 +5\.00$/);
});

test('the goal is met by both workloads, missed by one, or open if one was not measured', () => {
  const rubis = [cell('none', 100), cell('sync', 61)];
  const rawmix = (sync: number) => [cell('none', 100, { workload: 'rawmix' }), cell('sync', sync, { workload: 'rawmix' })];
  expect(goalLine([...rubis, ...rawmix(60)])).toBe('sync as a share of none at 256 clients: rubis 61 %, rawmix 60 % (goal: 60 %): met');
  expect(goalLine([...rubis, ...rawmix(59)])).toContain('rawmix 59 % (goal: 60 %): missed');
  expect(goalLine(rubis)).toContain('rawmix not measured (goal: 60 %): open');
});
