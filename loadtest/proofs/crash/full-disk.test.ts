// Two gateways, of which one has a full disk: what every kind of reader and writer over both shards is answered. A reader gets the values; a
// writer is told that the disk is full, and that nothing happened.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Claret, type Tx } from '@claret/client';
import { steered } from '@claret/client/steered';
import { USUAL } from '@claret/client/telemetry';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freePorts } from '../../../scripts/run/ports.js';
import { keyOn } from '../../../gateway/src/testing/cluster.ts';
import { startProcess, untilReady, type Run } from '../../../gateway/src/testing/process.ts';
import { RedisClient } from '../../../gateway/src/testing/redis-client.ts';
import { DiskFaults, buildFaults } from './faults.ts';

/** The shard whose disk is full, and the other one. */
const [FULL, WELL] = [0, 1];
const A = keyOn(FULL, 2, 'a');
const B = keyOn(WELL, 2, 'b');
const TEXTS = [keyOn(FULL, 2, 'text'), keyOn(WELL, 2, 'text')] as const;
const SETS = [keyOn(FULL, 2, 'set'), keyOn(WELL, 2, 'set')] as const;

/** A machine that is busy makes no client or holder count as gone, and nothing here run out of time. */
const PATIENT_MS = 60_000;
const PATIENT = ['--session-lease-ms', '60000', '--idle-ms', '60000'];

const folder = mkdtempSync(join(tmpdir(), 'claret-full-disk-'));
const runs: Run[] = [];
const doors: RedisClient[] = [];
let disk: DiskFaults;
let addresses: string[];
/** of the other shard's gateway */
let rest: string;
/** of the client whose write found the disk full, and of one that came later */
const clients: Claret[] = [];
let stuck: Promise<unknown>;

async function open(): Promise<Claret> {
  const claret = await connect({ addresses, timeoutMs: PATIENT_MS });
  clients.push(claret);
  return claret;
}

beforeAll(async () => {
  disk = new DiskFaults(await buildFaults(), join(folder, 'shard-0'), join(folder, 'faults'));
  const ports = (await freePorts(6)).map((port) => `127.0.0.1:${port}`);
  const members = [ports.slice(0, 3), ports.slice(3)];
  addresses = members.map(([grpc]) => grpc!);
  rest = members[WELL]![1]!;
  const cluster = members.map((member) => member.join('/')).join(',');
  for (const shard of [FULL, WELL]) {
    const dataDir = join(folder, `shard-${shard}`);
    const args = ['--cluster', cluster, '--shard', String(shard), '--data-dir', dataDir, '--warranty-uses-min', '0', ...PATIENT];
    runs.push(startProcess(args, shard === FULL ? disk.env : {}));
  }
  await Promise.all(runs.map(untilReady));
  const writer = await open();
  await writer.transact('First', [writer.on.counter(A).add(5), writer.on.counter(B).add(7)]);
  for (const member of members) doors.push(await RedisClient.open(member[2]!));
  for (const [n, key] of TEXTS.entries()) await doors[FULL]!.call('SET', key, `text ${n}`);
  for (const [n, key] of SETS.entries()) await doors[FULL]!.call('SADD', key, 'both', `only ${n}`);
  while (!(await fills(writer))) {
    disk.set();
    await vi.waitFor(() => writer.transact('Empty', [writer.on.counter(keyOn(FULL, 2, 'other')).add(1)]));
  }
  await open();
});

/** False: the gateway has found the disk full before the change that should, with an entry of its own, so that the change was refused. */
async function fills(writer: Claret): Promise<boolean> {
  const timesTold = () => runs[FULL]!.output().split('the disk is full').length - 1;
  const before = timesTold();
  disk.set({ write: 'torn', error: 'ENOSPC' });
  // The change that finds the disk full waits for room.
  let isRefused = false;
  stuck = writer.transact('Stuck', [writer.on.counter(keyOn(FULL, 2, 'other')).add(1)], { timeoutMs: 1_800_000 });
  stuck.catch(() => (isRefused = true));
  await vi.waitFor(() => expect(timesTold()).toBeGreaterThan(before));
  await expect(writer.native.counter(A).add(1)).rejects.toMatchObject({ code: 'disk_full' });
  return !isRefused;
}

afterAll(async () => {
  for (const door of doors) door.close();
  for (const claret of clients) await claret.close(0);
  for (const { child, ended } of runs) {
    child.kill('SIGKILL');
    await ended;
  }
  rmSync(folder, { recursive: true });
});

type Way = (claret: Claret) => Promise<unknown>;
const readBoth = async (tx: Tx) => [await tx.counter(A).value(), await tx.counter(B).value()];
const addBoth = async (tx: Tx) => {
  tx.counter(A).add(1);
  tx.counter(B).add(1);
};
const reads = (claret: Claret) => [claret.on.counter(A).value(), claret.on.counter(B).value()] as const;
const adds = (claret: Claret) => [claret.on.counter(A).add(1), claret.on.counter(B).add(1)];
const isolation = 'snapshot';

const READERS: [string, Way][] = [
  ['natives', (claret) => Promise.all([claret.native.counter(A).value(), claret.native.counter(B).value()])],
  ['a one-shot', (claret) => claret.transact('Read', reads(claret), steered({ way: 'locks' }))],
  ['an epoch’s list', (claret) => claret.transact('Listed', reads(claret), steered({ way: 'epoch' }))],
  ['an interactive transaction', (claret) => claret.transaction('Interactive', readBoth)],
  ['a snapshot', (claret) => claret.transaction('Snapshot', readBoth, { isolation })],
];

const WRITERS: [string, Way][] = [
  ['natives', (claret) => claret.native.counter(A).add(1)],
  ['a one-shot', (claret) => claret.transact('Add', adds(claret), steered({ way: 'locks' }))],
  ['a one-shot that only reads here', (claret) => claret.transact('Mixed', [claret.on.counter(A).value(), claret.on.counter(B).add(1)])],
  ['a one-shot that only reads there', (claret) => claret.transact('Mixed', [claret.on.counter(A).add(1), claret.on.counter(B).value()])],
  ['an epoch’s list', (claret) => claret.transact('Listed', adds(claret), steered({ way: 'epoch' }))],
  ['an interactive transaction', (claret) => claret.transaction('Interactive', addBoth)],
  [
    'an interactive transaction that reads first',
    (claret) =>
      claret.transaction('ReadFirst', async (tx) => {
        await readBoth(tx);
        await addBoth(tx);
      }),
  ],
  [
    'a snapshot',
    (claret) =>
      claret.transaction(
        'Snapshot',
        async (tx) => {
          await readBoth(tx);
          await addBoth(tx);
        },
        { isolation },
      ),
  ],
  // Its answer is to be kept, with the votes of both shards.
  ['a reader with an id', (claret) => claret.transaction('Once', readBoth, { id: claret.transactionId(B) })],
];

describe.each([
  ['whose write waits for room', 0],
  ['that came later', 1],
])('to a client %s', (_, which) => {
  test.each(READERS)('%s: the values', async (_, read) => {
    // More often than the client has messages under way: the shard takes each of them in.
    for (let n = 0; n < 20; n++) expect(await read(clients[which]!)).toEqual([5, 7]);
  });

  test.each(WRITERS)('%s to write: disk_full, nothing happened', async (_, write) => {
    await expect(write(clients[which]!)).rejects.toMatchObject({ code: 'disk_full', commitState: 'none', retryable: true });
  });
});

describe.each<[string, object]>([
  ['no chains of whole transactions', { combining: 'off' }],
  ['warranties', { warranties: 'auto' }],
  ['reads and writes as the only modes', { locks: 'rw' }],
  ['nobody waiting', { phasing: false }],
])('with %s', (_, changed) => {
  const set = async (conditions: object) => {
    const change = () =>
      fetch(`http://${rest}/v1/admin/conditions`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...USUAL, ...conditions }),
      });
    // A gateway that stands still for two seconds counts as away.
    await vi.waitFor(async () => expect((await change()).status).toBe(200));
  };
  beforeAll(() => set(changed));
  afterAll(() => set({}));

  test('readers get the values, writers disk_full', async () => {
    const claret = clients[1]!;
    for (let n = 0; n < 20; n++) {
      for (const [name, read] of READERS) expect(await read(claret).catch(({ code }) => code), name).toEqual([5, 7]);
    }
    for (const [name, write] of WRITERS)
      await expect(write(claret), name).rejects.toMatchObject({ code: 'disk_full', commitState: 'none', retryable: true });
  });
});

describe.each([
  ['of the full shard', FULL],
  ['of the other shard', WELL],
])('to a Redis client at the door %s', (_, door) => {
  const call = (...words: string[]) => doors[door]!.call(...words);
  const exec = async (...commands: string[][]) => {
    await call('MULTI');
    for (const words of commands) await call(...words);
    return call('EXEC');
  };

  test('readers get the values', async () => {
    for (let n = 0; n < 20; n++) {
      expect(await call('MGET', ...TEXTS)).toEqual(['text 0', 'text 1']);
      expect(await call('SINTER', ...SETS)).toEqual(['both']);
    }
    expect(await call('EXISTS', ...TEXTS)).toBe(2);
    expect(await exec(['GET', TEXTS[0]], ['SCARD', SETS[1]])).toEqual(['text 0', 2]);
  });

  test.each([
    ['SET', [TEXTS[0], 'new']],
    ['MSET', [TEXTS[0], 'new', TEXTS[1], 'new']],
    ['DEL', [...TEXTS]],
    ['SINTERSTORE', [keyOn(FULL, 2, 'new'), ...SETS]],
    ['SINTERSTORE', [keyOn(WELL, 2, 'new'), ...SETS]],
  ])('%s: MISCONF', async (name, words) => {
    expect(await call(name, ...words)).toEqual({ error: expect.stringMatching(/^MISCONF .*disk is full/) });
  });

  test('EXEC with a change at either shard: MISCONF', async () => {
    const refused = { error: expect.stringMatching(/^MISCONF .*disk is full/) };
    expect(await exec(['GET', TEXTS[0]], ['SET', TEXTS[1], 'new'])).toEqual(refused);
    expect(await exec(['SET', TEXTS[0], 'new'], ['GET', TEXTS[1]])).toEqual(refused);
  });
});

test('what is on the other shard alone goes on', async () => {
  const [, claret] = clients;
  await claret!.native.counter(keyOn(WELL, 2, 'alone')).add(1);
  expect(await claret!.transact('Add', [claret!.on.counter(keyOn(WELL, 2, 'alone')).add(1)])).toEqual([undefined]);
});

test('once there is room, the change that waited is done, and others are; nothing that was refused has happened', async () => {
  disk.set();
  await stuck;
  const [claret] = clients;
  await vi.waitFor(() => claret!.transact('Add', adds(claret!)));
  expect(await claret!.transact('Read', reads(claret!))).toEqual([6, 8]);
  expect(await doors[WELL]!.call('MGET', ...TEXTS)).toEqual(['text 0', 'text 1']);
});
