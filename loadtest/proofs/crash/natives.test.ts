// The tally of natives against a real store: correct reports pass, and each kind of wrong report is found.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Claret } from '@claret/client';
import { inProcessCluster, type InProcessCluster } from '@claret/client/testing';
import { NativeLedger, performBatch, type NativeCall, type NativeEnd } from './natives.ts';

let cluster: InProcessCluster;
let claret: Claret;
let numbers = 0;
beforeAll(async () => {
  cluster = await inProcessCluster({ shards: 2 });
  claret = await cluster.connect({ name: 'test' });
});
afterAll(() => cluster.stop());

/** A ledger, with records of its own. */
function tally() {
  const ledger = new NativeLedger();
  const own = ++numbers;
  const [counter, set, ids] = [`counter:${own}`, `set:${own}`, `ids:${own}`];
  const batches = { begun: 0 };
  const begin = (...calls: NativeCall[]) => {
    const batch = `batch ${++batches.begun}`;
    ledger.take({ batch, calls });
    return { end: (...ends: NativeEnd[]) => ledger.take({ batch, calls, ends }) };
  };
  const run = async (...calls: NativeCall[]) => begin(...calls).end(...(await performBatch(claret, calls)));
  const add = (n: number): NativeCall => ({ op: 'add', key: counter, n });
  const insert = (member: string): NativeCall => ({ op: 'insert', key: set, member });
  const value: NativeCall = { op: 'value', key: counter };
  const increment: NativeCall = { op: 'increment', key: `register:${own}` };
  const draw: NativeCall = { op: 'draw', key: ids };
  return { ledger, counter, begin, run, add, increment, insert, value, draw, mismatches: () => ledger.mismatches(claret) };
}

const DONE = { outcome: 'done' } as const;
const NONE = { outcome: 'none' } as const;
const UNKNOWN = { outcome: 'unknown' } as const;

test('what was acknowledged and is stored passes, and is counted', async () => {
  const { ledger, run, add, insert, value, draw, mismatches } = tally();
  await run(add(2), insert('a'), value, draw, draw);
  await run(add(3), insert('b'), value, draw);
  expect(await mismatches()).toEqual([]);
  expect(ledger).toMatchObject({ acknowledged: 4, checked: 4, unknown: 0 });
});

test('what has no answer may be stored or not', async () => {
  const { ledger, begin, run, add, insert, mismatches } = tally();
  await run(add(1), insert('a'));
  begin(add(5), insert('b')).end(UNKNOWN, UNKNOWN);
  begin(add(7), insert('c'));
  expect(await mismatches()).toEqual([]);
  expect(ledger).toMatchObject({ acknowledged: 2, unknown: 4 });
  await performBatch(claret, [add(5), insert('b')]);
  expect(await mismatches()).toEqual([]);
});

test('an acknowledged native that is lost is found', async () => {
  const { begin, run, add, insert, mismatches } = tally();
  await run(add(4), insert('a'));
  begin(add(1), insert('b')).end(DONE, DONE);
  const wrong = await mismatches();
  expect(wrong).toHaveLength(2);
  expect(wrong[0]).toMatch(/held 5 at least, and 4 was found/);
  expect(wrong[1]).toMatch(/lost: b was added/);
});

test('a native that is executed twice, or although it had failed, is found', async () => {
  const { begin, run, add, insert, mismatches } = tally();
  await run(add(4));
  await performBatch(claret, [add(4), insert('a')]);
  begin(add(4), insert('a')).end(NONE, NONE);
  const wrong = await mismatches();
  expect(wrong).toHaveLength(2);
  expect(wrong[0]).toMatch(/8 was found .* may have been executed make 4/);
  expect(wrong[1]).toMatch(/a is in set:.* has failed/);
});

test('a value that was found or answered and is taken back is found', async () => {
  const { begin, run, add, insert, counter, value, mismatches } = tally();
  begin(add(5), insert('a'));
  await performBatch(claret, [add(5), insert('a')]);
  expect(await mismatches()).toEqual([]);
  await claret.native.counter(counter).add(-1);
  expect(await mismatches()).toMatchObject([expect.stringMatching(/held 5 at least, and 4 was found/)]);
  await run(value);
  expect(await mismatches()).toHaveLength(2);
});

test('an increment that is lost, done twice or answered to two is found', async () => {
  const { begin, run, increment, mismatches } = tally();
  await run(increment, increment);
  expect(await mismatches()).toEqual([]);
  begin(increment).end({ outcome: 'done', result: '2' });
  const twice = await mismatches();
  expect(twice[0]).toMatch(/gave 2 twice/);
  expect(twice[1]).toMatch(/held 3 at least, and 2 was answered/);
  expect(twice[2]).toMatch(/held 3 at least, and 2 was found/);
  await performBatch(claret, [increment, increment]);
  expect(await mismatches()).toMatchObject([expect.stringMatching(/4 was found .* may have been executed make 3/)]);
});

test('a stale answer, an answer from nowhere and an identifier given twice are found', async () => {
  const { begin, run, add, value, draw, mismatches } = tally();
  await run(add(5));
  begin(value).end({ outcome: 'done', result: '4' });
  begin(value).end({ outcome: 'done', result: '6' });
  begin(draw, draw).end({ outcome: 'done', result: 'x' }, { outcome: 'done', result: 'x' });
  const wrong = await mismatches();
  expect(wrong[0]).toMatch(/held 5 at least, and 4 was answered/);
  expect(wrong[1]).toMatch(/6 was answered .* may have been executed make 5/);
  expect(wrong[2]).toMatch(/gave x twice/);
});

test('an earlier state must have what had been stored by then, and may have what came later', async () => {
  const { ledger, begin, run, add, insert, mismatches } = tally();
  await run(add(1), insert('a'));
  const stored = ledger.stored();
  begin(add(2), insert('b')).end(DONE, DONE);
  expect(await ledger.mismatchesOf(claret, stored)).toEqual([]);
  expect(await ledger.mismatchesOf(claret, ledger.stored())).toHaveLength(2);
  expect(await mismatches()).toHaveLength(2);
});
