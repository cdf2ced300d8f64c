// The contract of `Log` as tests: `logContract` runs on each implementation.
import { afterEach, describe, expect, test } from 'vitest';
import type { Log, LogOptions } from './log.ts';
import { append, entries, entry, keep, put, readAll, remove, seal } from './sample.ts';
import type { Kept } from './sample.ts';

/** Options for tests that expect no trouble with the disk. */
export const optionsOf = (dir: string): LogOptions => ({
  dir,
  clusterName: 'test',
  shard: 0,
  shards: 2,
  incarnation: 1,
  durability: 'sync',
  onTrouble: (trouble) => {
    throw new Error(JSON.stringify(trouble));
  },
});

/** Storage that outlives the logs that are opened on it, one after the other. */
export interface LogFixture {
  /** Opens the log as a start does, and reads its contents. */
  open(): Promise<Found>;
  remove(): Promise<void>;
}

interface Found {
  log: Log;
  kept: Kept;
}

/** Opens a log on new storage; `reopen` closes it and opens it again. */
type Begin = () => Promise<Found & { reopen: () => Promise<Found> }>;

export function logContract(name: string, makeFixture: () => Promise<LogFixture>): void {
  describe(`${name} fulfils the contract of Log`, () => {
    const opened: { fixture: LogFixture; logs: Log[] }[] = [];
    const begin: Begin = async () => {
      const fixture = await makeFixture();
      const logs: Log[] = [];
      opened.push({ fixture, logs });
      const reopen = async (): Promise<Found> => {
        await logs.pop()?.close();
        const found = await fixture.open();
        logs.push(found.log);
        return found;
      };
      return { reopen, ...(await reopen()) };
    };
    afterEach(async () => {
      for (const { fixture, logs } of opened.splice(0)) {
        await logs.pop()?.close();
        await fixture.remove();
      }
    });
    entriesAreKept(begin);
    checkpointsAreKept(begin);
    snapshotsAndPieces(begin);
  });
}

function entriesAreKept(begin: Begin): void {
  test('a new log is empty', async () => {
    const { log, kept } = await begin();
    expect(kept).toEqual({ pairs: {}, entries: Buffer.alloc(0), count: 0 });
    expect(log.replayBytes).toBe(0);
  });

  test('a restart reads the appended entries in order and continues after them', async () => {
    const { log, reopen } = await begin();
    const durable: number[] = [];
    const last = new Promise<void>((resolve) => {
      for (let n = 1; n <= 50; n++)
        log.append(entries(2 * n - 1, 2 * n), 2 * n, (position) => void (durable.push(position), position === 100 && resolve()));
    });
    await last;
    expect(durable).toEqual(durable.toSorted((a, b) => a - b));
    expect(log.replayBytes).toBe(entries(1, 100).length);
    const second = await reopen();
    expect(second.kept).toEqual({ pairs: {}, entries: Buffer.from(entries(1, 100)), count: 100 });
    expect(second.log.replayBytes).toBe(entries(1, 100).length);
    await append(second.log, entry(101), 101);
    expect((await reopen()).kept.entries).toEqual(Buffer.from(entries(1, 101)));
  });

  test('entries appended before the close are kept, even if their callbacks have not run', async () => {
    const { log, reopen } = await begin();
    for (let n = 1; n <= 20; n++) log.append(entry(n), n, () => {});
    expect((await reopen()).kept.count).toBe(20);
  });
}

function checkpointsAreKept(begin: Begin): void {
  test('pairs are overwritten, removed by range, and read in the order of their keys', async () => {
    const { log, reopen } = await begin();
    await keep(log, Buffer.concat([put('b', '1'), put('a', '1'), put('x1', 'old'), put('x2', 'old')]));
    await keep(log, Buffer.concat([put('b', '2'), remove('x', 'y'), put('y', '1')]));
    const { kept } = await reopen();
    expect(Object.entries(kept.pairs)).toEqual([
      ['a', '1'],
      ['b', '2'],
      ['y', '1'],
    ]);
  });

  test('removing a range also removes pairs that the same write put before', async () => {
    const { log, reopen } = await begin();
    const all = [put('k1', '1'), remove('k', 'l'), put('k2', '2')].map((pairs) => keep(log, pairs));
    await Promise.all(all);
    expect((await reopen()).kept.pairs).toEqual({ k2: '2' });
  });

  test('one key is removed, whether an earlier write put it or this one, and may be put again', async () => {
    const { log, reopen } = await begin();
    await keep(log, Buffer.concat([put('a', '1'), put('b', '1'), put('b!', '1'), put('d', '1')]));
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((key) => remove(key, `${key}\0`)) as [Buffer, Buffer, Buffer, Buffer];
    await keep(log, Buffer.concat([a, b, put('c', '2'), c, d, put('d', '2')]));
    expect((await reopen()).kept.pairs).toEqual({ 'b!': '1', d: '2' });
  });

  test('a checkpoint removes the entries before it, even if it splits entries that were appended together', async () => {
    const { log, reopen } = await begin();
    await append(log, entries(1, 10), 10);
    await append(log, entries(11, 20), 20);
    await append(log, entries(21, 25), 25);
    await seal(log, put('a', '1'), 14);
    const second = await reopen();
    expect(second.kept).toEqual({ pairs: { a: '1' }, entries: Buffer.from(entries(15, 25)), count: 11 });
    await seal(second.log, put('a', '2'), 25);
    expect(second.log.replayBytes).toBe(0);
    const third = await reopen();
    expect(third.kept).toEqual({ pairs: { a: '2' }, entries: Buffer.alloc(0), count: 0 });
    await append(third.log, entry(26), 26);
    await seal(third.log, put('b', '1'), 26);
    await append(third.log, entry(27), 27);
    expect((await reopen()).kept).toEqual({ pairs: { a: '2', b: '1' }, entries: Buffer.from(entry(27)), count: 1 });
  });

  test('pairs without a seal remove no entries', async () => {
    const { log, reopen } = await begin();
    await append(log, entries(1, 5), 5);
    await keep(log, put('a', '1'));
    expect((await reopen()).kept).toEqual({ pairs: { a: '1' }, entries: Buffer.from(entries(1, 5)), count: 5 });
  });
}

function snapshotsAndPieces(begin: Begin): void {
  test('an empty log continues from the position of its first checkpoint', async () => {
    const { log, reopen } = await begin();
    await keep(log, put('a', '1'));
    await seal(log, put('b', '1'), 700);
    await append(log, entries(701, 702), 702);
    expect((await reopen()).kept).toEqual({ pairs: { a: '1', b: '1' }, entries: Buffer.from(entries(701, 702)), count: 2 });
  });

  test('a snapshot shows the state of the call, up to the given entry', async () => {
    const { log } = await begin();
    await append(log, entries(1, 10), 10);
    await seal(log, put('a', '1'), 4);
    await append(log, entries(11, 20), 20);
    const snapshot = log.snapshot(12);
    await keep(log, put('a', '2'));
    await append(log, entry(21), 21);
    await seal(log, put('b', '1'), 21);
    expect(await readAll(snapshot)).toEqual({ pairs: { a: '1' }, entries: Buffer.from(entries(5, 12)), count: 8 });
  });

  test('large entries and many pairs are read in pieces', async () => {
    const { log, reopen } = await begin();
    const pairs = Buffer.concat(Array.from({ length: 5000 }, (_, n) => put(`key-${String(n).padStart(6, '0')}`, 'v'.repeat(300))));
    await append(log, entries(1, 3, 2_000_000), 3);
    await keep(log, pairs);
    const { kept } = await reopen();
    expect(Object.keys(kept.pairs)).toHaveLength(5000);
    expect(kept.entries.equals(entries(1, 3, 2_000_000))).toBe(true);
  });
}
