// A storm: random transactions of a few processes on a real cluster of two shards, with their history.

import type { Claret, HistoryAttempt } from '@claret/client';
import { inProcessCluster } from '@claret/client/testing';
import { SeededEnvironment } from '../../../client/src/testing/seeded-environment.ts';
import { Chance } from '../../kit/random.ts';
import { drawnOperations, randomCall, type RandomCall } from './testing-calls.ts';

export interface StormOptions {
  seed: number;
  /** all by default */
  operations?: readonly string[];
  workers?: number;
  transactionsPerWorker?: number;
  keysOfType?: number;
  /** operations of a transaction; with 1, shards never learn each other's clocks */
  operationsMax?: number;
  /** the second shard's clock */
  aheadMs?: number;
  /** some workers also read the past */
  past?: boolean;
}

async function runOne(claret: Claret, calls: RandomCall[], random: Chance): Promise<void> {
  const described = calls.map(({ key, name, args }) => claret.describe(key, name, args));
  if (random.below(3) === 0) return void (await claret.transact('All', described).catch(() => {}));
  const changesItsMind = random.below(20) === 0;
  const awaited = calls.map(() => random.below(3) > 0);
  const body = async (tx: Parameters<Parameters<Claret['transaction']>[1]>[0]) => {
    for (const [i, description] of described.entries()) {
      const operation = tx.perform(description);
      if (awaited[i]) await operation;
    }
    if (changesItsMind) throw new Error('changed its mind');
  };
  await claret.transaction('Any', body, { timeoutMs: 2_000 }).catch(() => {});
}

const READS: [name: string, ...args: unknown[]][] = [
  ['Register.get'],
  ['Counter.value'],
  ['Dict.all'],
  ['Set.members', 1000, null],
  ['ScoredSet.range', 0, -1],
  ['TopK.top', 128],
  ['SummaryBag.count'],
  ['SummaryBag.mean'],
  ['SummaryBag.min'],
  ['SummaryBag.max'],
  ['BoundedCounter.value'],
  ['HyperLogLog.count'],
  ['List.range', 0, -1],
];

/** Reads a record as of a commit that is known, or just before it. */
async function readPast(claret: Claret, commits: readonly bigint[], keysOfType: number, random: Chance): Promise<void> {
  const [name, ...args] = random.pick(READS);
  const key = `${name.split('.')[0]}:${random.below(keysOfType)}`;
  const at = random.pick(commits) - BigInt(random.below(2));
  await claret.native.perform(claret.describe(key, name, args), { at }).catch(() => {});
}

/** Reads the final state, so that all effects of the storm are observed. */
async function readAll(claret: Claret, keysOfType: number): Promise<void> {
  for (const [name, ...args] of READS) {
    const [type] = name.split('.') as [string];
    const keys = Array.from({ length: keysOfType }, (_, i) => `${type}:${i}`);
    await claret.transact(
      'Final',
      keys.map((key) => claret.describe(key, name, args)),
    );
  }
}

export async function stormHistory(options: StormOptions): Promise<HistoryAttempt[]> {
  const {
    seed,
    operations = drawnOperations,
    workers = 16,
    transactionsPerWorker = 12,
    keysOfType = 2,
    operationsMax = 4,
    aheadMs = 0,
    past = false,
  } = options;
  const environment = new SeededEnvironment(seed);
  const random = new Chance(seed + 1);
  const history: HistoryAttempt[] = [];
  const cluster = await environment.runUntil(
    inProcessCluster({
      shards: 2,
      environment,
      clockAheadMs: (shard) => shard * aheadMs,
      shardOptions: past ? { pastMs: 60_000 } : {},
    }),
  );
  const commits: bigint[] = [];
  const listen = (attempt: HistoryAttempt) => {
    history.push(attempt);
    if (attempt.order !== undefined && attempt.as_of === undefined) commits.push(BigInt(attempt.order));
  };
  const clients = await environment.runUntil(
    Promise.all(['one', 'two', 'three'].map((name) => cluster.connect({ name, history: listen, combining: 'always' }))),
  );
  const worker = async (claret: Claret) => {
    for (let i = 0; i < transactionsPerWorker; i++) {
      const calls = Array.from({ length: 1 + random.below(operationsMax) }, () => randomCall(random, operations, keysOfType, false));
      await runOne(claret, calls, random);
      for (let n = past && commits.length > 0 ? random.below(3) : 0; n > 0; n--) await readPast(claret, commits, keysOfType, random);
    }
  };
  await environment.runUntil(Promise.all(Array.from({ length: workers }, (_, i) => worker(clients[i % clients.length]!))));
  await environment.runUntil(readAll(clients[0]!, keysOfType));
  await environment.runUntil(cluster.stop());
  return history;
}
