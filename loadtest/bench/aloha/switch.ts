// The part `switch` (the paper's table 1): how long one list takes by itself, as the number of shards grows. All shards are in this process, so that no
// network and no scheduler has a share in it. A list has one write at each shard, or at two of them.

import type { Claret } from '@claret/client';
import { steered } from '@claret/client/steered';
import { inProcessCluster } from '../../../client/src/testing/in-process-cluster.ts';
import { mean, quantile } from '../../kit/statistics.ts';
import type { Progress } from '../../kit/progress.ts';
import { keyOnShard } from './keys.ts';
import type { Answer, Way } from './question.ts';
import { POINT, rowOf, type Cell, type Row } from './row.ts';
import type { Settings } from './settings.ts';
import { takeTurns } from './turns.ts';

/** Lists before the first that counts: streams between shards are opened, compilers settle. */
const WARM_LISTS = 50;
const WAYS: readonly Way[] = ['epoch', 'locks'];

const cellOf = (name: string, way: Way, size: number, shards: number): Cell => ({
  ...POINT,
  part: 'switch',
  name,
  way,
  size,
  shards,
  read_share: 0,
  in_flight: 1,
  answers: [],
});

/** Lists one after the other. Throws if the last one is not what is stored. */
async function oneByOne(claret: Claret, keys: readonly string[], way: Way, seconds: number): Promise<Answer> {
  const tookMs: number[] = [];
  let text = '';
  const list = async () => {
    text = String(tookMs.length);
    const writes = keys.map((key) => claret.on.register(key).set(text));
    await claret.writeOnly('Switch', writes, steered({ way: way === 'epoch' ? 'epoch' : 'locks' }));
  };
  for (let i = 0; i < WARM_LISTS; i++) await list();
  const before = { ...claret.counters };
  const begunMs = performance.now();
  for (let endMs = begunMs; endMs < begunMs + 1_000 * seconds;) {
    const listMs = performance.now();
    await list();
    endMs = performance.now();
    tookMs.push(endMs - listMs);
  }
  const held = await Promise.all(keys.map((key) => claret.native.register(key).get()));
  if (held.some((value) => value !== text)) throw new Error(`a record of ${keys.length} does not hold the newest write, ${text}`);
  const { commits, epochCommits, retries } = claret.counters;
  return {
    txn_per_s: tookMs.length / ((performance.now() - begunMs) / 1_000),
    mean_ms: mean(tookMs),
    p50_ms: quantile(tookMs, 0.5),
    p99_ms: quantile(tookMs, 0.99),
    retries_per_commit: (retries - before.retries) / (commits - before.commits),
    epoch_share: (epochCommits - before.epochCommits) / (commits - before.commits),
    client_us_per_op: null,
    gateway_us_per_op: null,
  };
}

async function measureShards(shards: number, settings: Settings, progress: Progress): Promise<Cell[]> {
  const cluster = await inProcessCluster({ shards });
  try {
    const claret = await cluster.connect();
    const keys = Array.from({ length: shards }, (_, shard) => keyOnShard(shard, shards, 'switch'));
    // One of the two is not the manager's, as soon as there are two.
    const two = [keys[0]!, keys.at(-1)!].slice(0, Math.min(shards, 2));
    const cells = WAYS.flatMap((way) => [
      ...(shards > 2 ? [cellOf(`${shards}, two`, way, two.length, shards)] : []),
      cellOf(`${shards}, all`, way, shards, shards),
    ]);
    await takeTurns(cells, {
      rounds: settings.rounds,
      progress,
      measure: ({ size, way }) => oneByOne(claret, size === shards ? keys : two, way, settings.seconds / 4),
    });
    return cells;
  } finally {
    await cluster.stop();
  }
}

export async function measureSwitch(settings: Settings, progress: Progress): Promise<Row[]> {
  const rows: Row[] = [];
  for (const shards of settings.shards) {
    const cells = await measureShards(shards, settings, progress);
    rows.push(...cells.map((cell) => rowOf(cell, undefined)));
  }
  return rows;
}
