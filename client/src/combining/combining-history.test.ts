// Strict serializability with combining, as clients see it: random transactions of a few processes over two shards join each other's
// operations. Then all committed transactions are run again, one at a time, in the order of their commit timestamps.
// CLARET_SEEDS=200 runs two hundred storms of each kind.

import { describe, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import { ClaretError } from '../errors/claret-error.ts';
import { inProcessCluster, type InProcessCluster } from '../testing/in-process-cluster.ts';
import { randomFrom, type Random } from '../testing/random.ts';
import { SeededEnvironment } from '../testing/seeded-environment.ts';

interface Step {
  name: string;
  key: string;
  args: unknown[];
  awaited: boolean;
}

interface Committed {
  at: bigint;
  steps: { step: Step; result: unknown }[];
}

const KEYS_OF_A_TYPE = 2;

function randomStep(random: Random): Step {
  const key = (stem: string) => `${stem}${random.below(KEYS_OF_A_TYPE)}`;
  const member = random.pick(['a', 'b', 'c', 'd']);
  const n = random.below(7) - 3;
  const [stem, name, args] = random.pick<[string, string, unknown[]]>([
    ['counter', 'Counter.add', [n]],
    ['counter', 'Counter.value', []],
    ['counter', 'Counter.value', []],
    ['set', 'Set.add', [member]],
    ['set', 'Set.add', [member]],
    ['set', 'Set.remove', [member]],
    ['set', 'Set.size', []],
    ['set', 'Set.contains', [member]],
    ['set', 'Set.members', [1 + random.below(3), random.pick([null, member])]],
    ['top', 'TopK.add', [member, n]],
    ['top', 'TopK.top', [1 + random.below(4)]],
    ['top', 'TopK.max', []],
    ['dict', 'Dict.increment', [member, n]],
    ['dict', 'Dict.get', [[member, 'a']]],
    ['dict', 'Dict.all', []],
    ['scored', 'ScoredSet.add', [member, n]],
    ['scored', 'ScoredSet.range', [random.below(3), random.pick([-1, 2, 3])]],
    ['scored', 'ScoredSet.rank', [member]],
    ['bag', 'SummaryBag.add', [random.below(3)]],
    ['bag', 'SummaryBag.add', [random.below(2)]],
    ['bag', 'SummaryBag.mean', []],
    ['bag', 'SummaryBag.count', []],
    ['register', 'Register.compareAndSet', [null, n]],
    ['register', 'Register.get', []],
    ['register', 'Register.set', [n]],
  ]);
  return { name, key: key(stem), args, awaited: random.below(4) > 0 };
}

/** Returns the committed transaction with its results; null if it did not commit. */
async function runOne(claret: Claret, steps: Step[], random: Random): Promise<Committed | null> {
  let at = 0n;
  let done: Committed['steps'] = [];
  const changesItsMind = random.below(25) === 0;
  try {
    await claret.transaction(
      'Any',
      async (tx) => {
        done = [];
        for (const step of steps) {
          const operation = tx.perform(claret.describe(step.key, step.name, step.args));
          const entry = { step, result: undefined as unknown };
          done.push(entry);
          const taken = operation.then((result) => {
            entry.result = structuredClone(result);
            // A body that changes its own result must not affect others.
            if (Array.isArray(result)) result.length = 0;
          });
          if (step.awaited) await taken;
          else void taken.then(undefined, () => {});
        }
        if (changesItsMind) throw new Error('changed its mind');
      },
      { onCommit: ({ committedAt }) => void (at = committedAt), timeoutMs: 2_000 },
    );
  } catch (error) {
    if (!(error instanceof ClaretError) && (error as Error).message === 'changed its mind') return null;
    expect(error).toMatchObject({ commitState: 'none', retryable: true });
    return null;
  }
  return { at, steps: done };
}

type Kind = 'quiet' | 'switching';
interface Storm {
  committed: number;
  combined: number;
  neverSent: number;
  broken: number;
}

function switchConditions(cluster: InProcessCluster, environment: SeededEnvironment, random: Random): void {
  const conditions = {
    locks: random.pick(['abstract', 'abstract', 'rw'] as const),
    phasing: random.below(3) > 0,
    combining: random.pick(['on', 'auto', 'off'] as const),
  };
  for (const { shard } of cluster.hosts) shard.setConditions(conditions, environment.wallMs(), environment.monotonicMs());
}

async function storm(seed: number, kind: Kind, combining: 'on' | 'auto' | undefined, workers: number): Promise<Storm> {
  const environment = new SeededEnvironment(seed);
  const random = randomFrom(seed + 1);
  const cluster = await environment.runUntil(inProcessCluster({ shards: 2, environment }));
  const clients = await environment.runUntil(Promise.all([1, 2].map(() => cluster.connect({ combining, deferral: false }))));
  const history: Committed[] = [];
  const worker = async (claret: Claret) => {
    for (let i = 0; i < 12; i++) {
      const steps = Array.from({ length: 1 + random.below(4) }, () => randomStep(random));
      const committed = await runOne(claret, steps, random);
      if (committed !== null) history.push(committed);
    }
  };
  const working = Promise.all(Array.from({ length: workers }, (_, i) => worker(clients[i % 2]!)));
  if (kind === 'switching') {
    for (let i = 1; i <= 20; i++) environment.setTimeout(() => switchConditions(cluster, environment, random), i * 0.8);
  }
  await environment.runUntil(working);
  await environment.runUntil(new Promise<void>((resolve) => void environment.setTimeout(resolve, 50)));
  for (const shard of cluster.shards) expect(shard.counters()).toMatchObject({ attemptsInFlight: 0, sharedHolders: 0, waiting: 0 });
  expect(await replayed(history)).toEqual(history.length);
  const sum = (of: (claret: Claret) => number) => clients.reduce((total, claret) => total + of(claret), 0);
  const result = {
    committed: history.length,
    combined: sum(({ counters }) => counters.combined),
    neverSent: sum(({ counters }) => counters.neverSent),
    broken: cluster.shards.reduce((total, shard) => total + (shard.counters().aborts['join_broken'] ?? 0), 0),
  };
  await environment.runUntil(cluster.stop());
  return result;
}

/** Runs the transactions one at a time, in timestamp order. Every result must be the same. */
async function replayed(history: Committed[]): Promise<number> {
  history.sort((a, b) => (a.at < b.at ? -1 : 1));
  const cluster = await inProcessCluster();
  const claret = await cluster.connect({ combining: 'off' });
  for (const { at, steps } of history) {
    const results = await claret.transact(
      'Again',
      steps.map(({ step }) => claret.describe(step.key, step.name, step.args)),
    );
    steps.forEach(({ step, result }, i) => expect(result, `${step.name} on ${step.key} at ${at}`).toEqual(results[i]));
  }
  await cluster.stop();
  return history.length;
}

const seeds = Number(process.env['CLARET_SEEDS'] ?? 6);

describe('a history with joined operations', () => {
  const kinds: [string, Kind, 'on' | 'auto' | undefined, workers: number][] = [
    ['on', 'quiet', 'on', 16],
    ['auto', 'quiet', 'auto', 192],
    ['as conditions say, switched meanwhile', 'switching', undefined, 32],
    ['on, locks and phasing switched meanwhile', 'switching', 'on', 16],
  ];
  it.each(kinds)('is the same when replayed in timestamp order: %s', { timeout: 600_000 }, async (_name, kind, combining, workers) => {
    const total: Storm = { committed: 0, combined: 0, neverSent: 0, broken: 0 };
    for (let seed = 1; seed <= seeds; seed++) {
      try {
        const result = await storm(seed, kind, combining, workers);
        for (const name of Object.keys(total) as (keyof Storm)[]) total[name] += result[name];
      } catch (error) {
        console.log(`seed ${seed}`);
        throw error;
      }
    }
    console.log(total);
    expect(total.committed).toBeGreaterThan(seeds * 100);
    expect(total.neverSent).toBeGreaterThan(seeds);
  });
});
