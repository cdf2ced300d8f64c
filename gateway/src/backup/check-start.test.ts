// checkStart with a real core, on a real log whose end is lost.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseCluster } from '../cluster.ts';
import { readConfig } from '../config.ts';
import type { KeptPiece, LogOptions } from '../log/log.ts';
import { openLog } from '../log/open-log.ts';
import { PairPiece, decodePairs } from '../log/pairs.ts';
import { Checkpointer } from '../store/checkpointer.ts';
import { shardEnvironment } from '../store/environment.ts';
import { connectOwnClient } from '../store/own-client.ts';
import { Recovery } from '../store/recovery.ts';
import { ShardHost } from '../store/shard-host.ts';
import { Topology } from '../topology.ts';
import { temporaryFolder } from './testing.ts';
import { checkStart } from './check-start.ts';

const SHARD = { shard: 0, shards: 1 };
const CLUSTER = '127.0.0.1:1/127.0.0.1:2'; // never used

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => folder.remove());

const optionsOf = (incarnation: number): LogOptions => ({
  ...SHARD,
  dir: folder.in('log'),
  clusterName: 'test',
  incarnation,
  durability: 'sync',
  onTrouble: () => {},
});

/** Starts a shard, makes an addition, takes a checkpoint if requested, and closes the shard. */
async function live(incarnation: number, { checkpoint }: { checkpoint: boolean }): Promise<void> {
  const { config } = readConfig(['--cluster', CLUSTER], {});
  const { log, kept } = await openLog(optionsOf(incarnation));
  const { locks, phasing, combining } = config;
  const host = new ShardHost({ ...config, ...SHARD, incarnation, conditions: { locks, phasing, combining } }, { log });
  await new Recovery(0, 0, () => {}).run(host, kept);
  const members = parseCluster(CLUSTER);
  const topology = new Topology({ members, durability: 'sync', clusterName: 'test', replicated: false });
  const claret = await connectOwnClient(host, members[0]!, topology, { name: 'test', timeoutMs: 20_000, token: '' });
  await claret.transact('Add', [claret.on.counter('c').add(1)]);
  await claret.close();
  if (checkpoint) await new Checkpointer({ host, log, environment: shardEnvironment }).checkpoint({ hurry: true });
  host.close();
  await log.close();
}

async function keptNow(): Promise<KeptPiece[]> {
  const { log, kept } = await openLog(optionsOf(100));
  const pieces: KeptPiece[] = [];
  for await (const piece of kept) pieces.push(piece);
  await log.close();
  return pieces;
}

async function* each(pieces: readonly KeptPiece[]): AsyncGenerator<KeptPiece> {
  yield* pieces;
}

const pairsOf = (pieces: readonly KeptPiece[]) =>
  pieces.flatMap((piece) => ('checkpoint' in piece ? [...decodePairs(piece.checkpoint)] : []));

test('a shard can start on a complete log, but not if the checkpoint has effects of lost entries', async () => {
  await live(1, { checkpoint: true });
  const older = await keptNow();
  await live(2, { checkpoint: false });
  const entries = (await keptNow()).filter((piece) => 'entries' in piece);
  await live(3, { checkpoint: true });
  const newer = await keptNow();
  for (const all of [older, newer, [...older, ...entries]]) expect(await checkStart(SHARD, each(all))).toBeNull();
  // The newer checkpoint was not completed: its pairs overwrite those of the older one, whose header is still valid.
  const header = pairsOf(older)[0]!;
  const mixed = new PairPiece();
  for (const { key, value } of [header, ...pairsOf(newer).slice(1)]) mixed.add(key, value);
  const checkpoint = { records: mixed.records, checkpoint: mixed.take() };
  for (const cut of [[checkpoint], [checkpoint, ...entries]])
    expect(await checkStart(SHARD, each(cut))).toMatch(/the log ends with entry \d+, and the checkpoint/);
  expect(await checkStart({ shard: 1, shards: 2 }, each(newer))).toMatch(/written by shard 0 of 1, not by shard 1 of 2/);
});
