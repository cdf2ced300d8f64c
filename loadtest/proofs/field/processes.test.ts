// Reports about processes: a full disk, and a stop. Two gateways on disks of their own; each test goes on where the one before has left them.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect as connectSocket, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Claret } from '@claret/client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePorts } from '../../../scripts/run/ports.js';
import { startProcess, untilReady, type Run } from '../../../gateway/src/testing/process.ts';
import { DiskFaults, buildFaults } from '../crash/faults.ts';
import { metricsOf } from '../crash/metrics.ts';
import { keyOn } from '../../../client/src/testing/keys.ts';

const PATIENT_MS = 150_000;
const folder = mkdtempSync(join(tmpdir(), 'claret-field-'));
const runs: Run[] = [];
let addresses: string[];
let rest: string[];
let disk: DiskFaults;
let claret: Claret;

beforeAll(async () => {
  const ports = await freePorts(4);
  const at = (number: number) => `127.0.0.1:${ports[number]}`;
  addresses = [at(0), at(2)];
  rest = [at(1), at(3)].map((address) => `http://${address}`);
  const cluster = `${at(0)}/${at(1)},${at(2)}/${at(3)}`;
  const dirs = [0, 1].map((shard) => join(folder, `shard-${shard}`));
  disk = new DiskFaults(await buildFaults(), dirs[0]!, join(folder, 'faults'));
  for (const [shard, dir] of dirs.entries())
    runs.push(startProcess(['--cluster', cluster, '--shard', String(shard), '--data-dir', dir], shard === 0 ? disk.env : {}));
  await Promise.all(runs.map(untilReady));
  claret = await connect({ addresses, timeoutMs: PATIENT_MS });
});
afterAll(async () => {
  await claret?.close(0);
  for (const run of runs) run.child.kill('SIGKILL');
  await Promise.all(runs.map(({ ended }) => ended));
  rmSync(folder, { recursive: true, force: true });
});

const write = (key: string, value: number) => claret.transact('Write', [claret.on.register(key).set(value)]);
const read = async (key: string) => (await claret.transact('Read', [claret.on.register(key).get()]))[0];

// etcd-io/etcd#3068: one member's disk was full, and the whole cluster could not be reached, until the member was removed.
test('one full disk refuses changes there: reads go on, and so do the others; with room again so does it, without a start', async () => {
  const [full, unlucky, other] = [keyOn(0), keyOn(0, 'unlucky'), keyOn(1)];
  await Promise.all([write(full, 1), write(other, 1)]);
  const beside = await connect({ addresses, timeoutMs: PATIENT_MS });
  const timesTold = () => runs[0]!.output().split('the disk is full').length - 1;
  /** The one that finds it full waits for room. If the gateway has found it full before, with an entry of its own, that one is refused. */
  const findsFull = async () => {
    const before = timesTold();
    disk.set({ write: 'fail', error: 'ENOSPC' });
    let isRefused = false;
    const waits = write(unlucky, 2);
    waits.catch(() => (isRefused = true));
    await vi.waitFor(() => expect(timesTold()).toBeGreaterThan(before));
    await expect(beside.transact('Write', [beside.on.register(full).set(2)])).rejects.toMatchObject({
      code: 'disk_full',
      commitState: 'none',
    });
    return { waits, isRefused };
  };
  let found = await findsFull();
  while (found.isRefused) {
    disk.set();
    await vi.waitFor(() => write(full, 1));
    found = await findsFull();
  }
  expect(await beside.transact('Read', [beside.on.register(full).get()])).toEqual([1]);
  await beside.transact('Write', [beside.on.register(other).set(2)]);
  expect(await beside.transact('Read', [beside.on.register(other).get()])).toEqual([2]);
  await beside.close(0);
  disk.set();
  await found.waits;
  await vi.waitFor(() => write(full, 3));
  expect([await read(full), await read(unlucky)]).toEqual([3, 2]);
  expect(runs.map(({ child }) => child.exitCode)).toEqual([null, null]);
});

/** A connection that has sent this and stays open. */
function silent(sent: string): Promise<Socket> {
  const { hostname, port } = new URL(rest[0]!);
  return new Promise((resolve, reject) => {
    const socket = connectSocket({ host: hostname, port: Number(port) }, () => socket.write(sent, () => resolve(socket)));
    socket.on('error', reject);
  });
}

// nodejs/node#2642 and hasura/graphql-engine#7785: a server did not end as long as there were connections on which nothing happened.
test('a stop waits for nobody who only stays connected', async () => {
  const key = keyOn(0, 'left-open');
  const left = claret.transaction('Left', async (tx) => (await tx.register(key).exchange('left'), new Promise<never>(() => {})), {
    attemptsMax: 1,
  });
  left.catch(() => {});
  const streams = await Promise.all(
    Array.from({ length: 20 }, () => fetch(`${rest[0]}/v1/telemetry/stream`, { headers: { accept: 'text/event-stream' } })),
  );
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
  const sockets = await Promise.all([
    ...Array.from({ length: 10 }, () => silent('')),
    ...Array.from({ length: 10 }, () => silent('GET /livez HTTP/1.1\r\nhost: here\r\nconnection: keep-alive\r\n\r\n')),
    ...Array.from({ length: 10 }, () =>
      silent('POST /v1/transactions HTTP/1.1\r\nhost: here\r\ncontent-type: application/json\r\ncontent-length: 9999\r\n\r\n{'),
    ),
  ]);
  for (const socket of sockets) socket.on('error', () => {}).resume();
  await vi.waitFor(async () => expect((await metricsOf(rest[0]!))('claret_attempts_in_flight')).toBeGreaterThan(0));
  runs[0]!.child.kill('SIGTERM');
  expect(await runs[0]!.ended).toBe(0);
  expect(runs[0]!.output()).not.toMatch(/could not be closed/);
  for (const socket of sockets) socket.destroy();
});
