// A cluster of real processes that a third shard has joined: its backup, made while slots move, is restored by the command, and all records of
// the restored cluster are those of the first one.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { connect } from '@claret/client';
import type { Claret } from '@claret/client';
import { afterAll, afterEach, expect, test } from 'vitest';
import { startCluster } from '../../../scripts/cluster.js';
import type { Cluster } from '../../../scripts/cluster.js';
import { temporaryFolder } from './testing.ts';

const RESTORE = fileURLToPath(new URL('restore-main.ts', import.meta.url));
const PATIENT_MS = 900_000;
const SOON = { interval: 20 };
const ACCOUNTS = Array.from({ length: 60 }, (_, i) => `account-${i}`);
const RECORDS = Array.from({ length: 240 }, (_, i) => `record-${i}`);
const LARGE = 'large';
const MEMBERS = 3_000;

const folder = temporaryFolder();
afterAll(folder.remove);
const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function start(options: { shards: number; dealtShards?: number; dataDir: string }): Promise<{ cluster: Cluster; claret: Claret }> {
  const cluster = await startCluster({ durability: 'sync', ...options });
  stops.push(() => cluster.stop());
  const claret = await connect({ addresses: cluster.gateways.map(({ grpc }) => grpc), timeoutMs: 60_000 });
  stops.push(() => claret.close(0));
  return { cluster, claret };
}

async function fill(claret: Claret): Promise<void> {
  const { on } = claret;
  await claret.transact(
    'Open accounts',
    ACCOUNTS.map((key) => on.counter(key).add(1_000)),
  );
  await Promise.all(
    RECORDS.map((key, i) =>
      claret.transact('Fill', [
        on.register(`${key}:register`).set(`text ${i}`),
        on.dict(`${key}:dict`).set({ field: String(i) }),
        on.set(`${key}:set`).add(`member ${i}`),
        on.scoredSet(`${key}:scores`).add(`member ${i}`, i),
        on.topK(`${key}:top`).add(`item ${i}`, i),
      ]),
    ),
  );
  for (let at = 0; at < MEMBERS; at += 500)
    await claret.transact(
      'Fill a large record',
      Array.from({ length: 500 }, (_, i) => on.set(LARGE).add(`a member of a large record, number ${at + i}`)),
    );
}

/** Everything that was filled in, as JSON. */
async function contents(claret: Claret): Promise<string> {
  const { on } = claret;
  const records = await Promise.all(
    RECORDS.map((key) =>
      claret.transact('Read', [
        on.register(`${key}:register`).get(),
        on.dict(`${key}:dict`).all(),
        on.set(`${key}:set`).members(9),
        on.scoredSet(`${key}:scores`).range(0, 9),
        on.topK(`${key}:top`).top(9),
      ]),
    ),
  );
  const large: string[] = [];
  for (let page: readonly string[] = []; large.length === 0 || page.length === 1_000; large.push(...page))
    [page] = await claret.transact('Read a large record', [on.set(LARGE).members(1_000, large.at(-1) ?? null)]);
  return JSON.stringify([records, large]);
}

async function money(claret: Claret): Promise<number[]> {
  const held = await claret.transact(
    'Sum',
    ACCOUNTS.map((key) => claret.on.counter(key).value()),
  );
  return held.map(Number);
}

/** Moves money between accounts until it is stopped. */
function transfers(claret: Claret) {
  const failures: unknown[] = [];
  let isOver = false;
  let done = 0;
  const mover = async (first: number) => {
    for (let n = first; !isOver; n += 7) {
      const [from, to] = [ACCOUNTS[n % ACCOUNTS.length]!, ACCOUNTS[(n * 31 + 11) % ACCOUNTS.length]!];
      await claret.transact('Transfer', [claret.on.counter(from).add(-1), claret.on.counter(to).add(1)]).then(
        () => done++,
        (error: unknown) => failures.push(error),
      );
    }
  };
  const movers = [0, 1, 2, 3].map(mover);
  return {
    failures,
    get done() {
      return done;
    },
    async stop() {
      isOver = true;
      await Promise.all(movers);
    },
  };
}

interface Move {
  move: string;
  phase: string;
  why: string | null;
}

async function beginMove({ gateways }: Cluster, body: object): Promise<string> {
  const begun = async () => {
    const answer = await fetch(`${gateways[0]!.rest}/v1/admin/moves`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, move: (await answer.json()) as Move };
  };
  let last = await begun();
  await expect.poll(async () => (last.status === 202 ? last : (last = await begun())).status, SOON).toBe(202);
  return last.move.move;
}

async function moved({ gateways }: Cluster, move: string): Promise<void> {
  const state = async () => {
    const { moves } = (await (await fetch(`${gateways[0]!.rest}/v1/admin/moves`)).json()) as { moves: Move[] };
    return moves.find((one) => one.move === move);
  };
  await expect.poll(async () => (await state())?.phase, SOON).toBe('done');
}

const move = async (cluster: Cluster, body: object) => moved(cluster, await beginMove(cluster, body));

async function backUp({ gateways }: Cluster, gateway: number, name: string): Promise<string> {
  const answer = await fetch(`${gateways[gateway]!.rest}/v1/admin/backup`);
  const file = folder.in(name);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(answer.status, bytes.toString('utf8', 0, 500)).toBe(200);
  writeFileSync(file, bytes);
  return file;
}

/** Runs the command, and returns its output. */
async function restore(file: string): Promise<{ dataDir: string; said: string }> {
  const dataDir = `${file}-data`;
  const { stdout } = await promisify(execFile)(process.execPath, [RESTORE, '--file', file, '--data-dir', dataDir]);
  return { dataDir, said: stdout };
}

const slotCounts = (claret: Claret): number[] =>
  claret.topology.shards.map((shard) => shard.slots.reduce((sum, { first, last }) => sum + last - first + 1, 0));

test(
  'a backup of a cluster that a shard has joined, made while slots move, is restored with all that it holds',
  async () => {
    const { cluster, claret } = await start({ shards: 2, dataDir: folder.in('first') });
    await fill(claret);
    const before = await contents(claret);
    const load = transfers(claret);
    await cluster.joinShard();
    await move(cluster, { from: 0, to: 2, count: 2_731 });
    const underWay = await beginMove(cluster, { from: 1, to: 2, count: 2_730 });
    const duringMove = await backUp(cluster, 1, 'during-a-move');
    await moved(cluster, underWay);
    await move(cluster, { from: 2, to: 0, slots: { first: 5_461, last: 6_000 } });
    const afterMoves = await backUp(cluster, 2, 'after-moves');
    await load.stop();
    expect(load.failures).toEqual([]);
    expect(load.done).toBeGreaterThan(100);
    const held = await money(claret);
    const atRest = await backUp(cluster, 0, 'at-rest');
    const slots = slotCounts(claret);

    for (const file of [duringMove, afterMoves, atRest]) {
      const { dataDir, said } = await restore(file);
      expect(said).toContain('start 3 gateways with dealtShards 2');
      const copy = await start({ shards: 3, dealtShards: 2, dataDir });
      expect(await contents(copy.claret)).toBe(before);
      const there = await money(copy.claret);
      expect(there.reduce((sum, one) => sum + one, 0)).toBe(1_000 * ACCOUNTS.length);
      if (file === atRest) {
        expect(there).toEqual(held);
        expect(slotCounts(copy.claret)).toEqual(slots);
        // The restored cluster moves slots, and has them after a restart.
        await copy.claret.native.counter(ACCOUNTS[0]!).add(5);
        await move(copy.cluster, { from: 2, to: 1, count: 500 });
        await copy.claret.close();
        await copy.cluster.stop();
        const again = await start({ shards: 3, dealtShards: 2, dataDir });
        expect(await money(again.claret)).toEqual(held.with(0, held[0]! + 5));
        expect(await contents(again.claret)).toBe(before);
      }
    }
  },
  PATIENT_MS,
);

test(
  'a gateway that does not know of a joined shard yet makes no backup without it',
  async () => {
    const dataDir = folder.in('unknown');
    const { cluster } = await start({ shards: 2, dataDir });
    await cluster.joinShard();
    await move(cluster, { from: 0, to: 2, count: 2_731 });
    await cluster.stop();
    const { cluster: two } = await start({ shards: 2, dataDir });
    const answer = await fetch(`${two.gateways[0]!.rest}/v1/admin/backup`);
    expect([answer.status, await answer.json()]).toMatchObject([
      503,
      { code: 'shard_unavailable', detail: expect.stringContaining('own 13653 of 16384 slots') },
    ]);
  },
  PATIENT_MS,
);
