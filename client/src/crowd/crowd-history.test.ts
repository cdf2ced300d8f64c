// Forecasts and chains against real shards, as clients see them: random transactions of a few processes, some of them fickle. Then all
// committed transactions are run again, one at a time, in the order of their commit timestamps.
// CLARET_SEEDS=200 runs two hundred storms of each kind.

import { describe, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import { ClaretError } from '../errors/claret-error.ts';
import { inProcessCluster, type InProcessCluster } from '../testing/in-process-cluster.ts';
import { randomFrom, type Random } from '../testing/random.ts';
import { SeededEnvironment } from '../testing/seeded-environment.ts';
import type { Tx } from '../transaction/tx.ts';

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

type Kind = 'quiet' | 'breaking' | 'switching';

const seeds = Number(process.env['CLARET_SEEDS'] ?? 2);
const PAIR = ['x', 'y'] as const;

function randomStep(random: Random): Step {
  const key = (stem: string) => `${stem}${random.below(2)}`;
  const member = random.pick(['a', 'b', 'c', 'd']);
  const n = random.below(7) - 3;
  const [stem, name, args] = random.pick<[string, string, unknown[]]>([
    ['counter', 'Counter.add', [n]],
    ['counter', 'Counter.value', []],
    ['counter', 'Counter.value', []],
    ['set', 'Set.add', [member]],
    ['set', 'Set.remove', [member]],
    ['set', 'Set.size', []],
    ['set', 'Set.members', [1 + random.below(3), random.pick([null, member])]],
    ['top', 'TopK.add', [member, n]],
    ['top', 'TopK.top', [1 + random.below(4)]],
    ['dict', 'Dict.increment', [member, n]],
    ['dict', 'Dict.get', [[member, 'a']]],
    ['dict', 'Dict.all', []],
    ['scored', 'ScoredSet.add', [member, n]],
    ['scored', 'ScoredSet.range', [random.below(3), random.pick([-1, 2, 3])]],
    ['bag', 'SummaryBag.add', [random.below(3)]],
    ['bag', 'SummaryBag.mean', []],
    ['bounded', 'BoundedCounter.increment', [random.below(3)]],
    ['bounded', 'BoundedCounter.decrement', [random.below(3)]],
    ['bounded', 'BoundedCounter.tryDecrement', [random.below(3)]],
    ['bounded', 'BoundedCounter.value', []],
    ['register', 'Register.compareAndSet', [null, n]],
    ['register', 'Register.get', []],
    ['register', 'Register.set', [n]],
  ]);
  return { name, key: key(stem), args, awaited: random.below(4) > 0 };
}

class Storm {
  readonly environment: SeededEnvironment;
  readonly random: Random;
  readonly history: Committed[] = [];
  readonly unequal: [unknown, unknown][] = [];
  moved = 0;
  readonly #kind: Kind;

  constructor(seed: number, kind: Kind) {
    this.environment = new SeededEnvironment(seed);
    this.random = randomFrom(seed + 1);
    this.#kind = kind;
  }

  /** Returns whether it has committed. */
  async #run(claret: Claret, label: string, work: (tx: Tx, done: (step: Step) => Promise<unknown>) => Promise<void>): Promise<boolean> {
    let at = 0n;
    let steps: Committed['steps'] = [];
    const changesItsMind = this.random.below(20) === 0;
    try {
      await claret.transaction(
        label,
        async (tx) => {
          const mine: Committed['steps'] = (steps = []);
          await work(tx, async (step) => {
            const operation = tx.perform(claret.describe(step.key, step.name, step.args));
            const entry = { step, result: undefined as unknown };
            mine.push(entry);
            const taken = operation.then((result) => {
              entry.result = structuredClone(result);
              // A body that changes its own result must not affect others.
              if (Array.isArray(result)) result.length = 0;
              return entry.result;
            });
            if (step.awaited) return taken;
            return void taken.then(undefined, () => {});
          });
          if (changesItsMind) throw new Error('changed its mind');
        },
        { onCommit: ({ committedAt }) => void (at = committedAt), timeoutMs: 3_000 },
      );
    } catch (error) {
      if (!(error instanceof ClaretError) && (error as Error).message === 'changed its mind') return false;
      expect(error).toMatchObject({ commitState: expect.stringMatching(/none|applied/) });
      const { commitState, code } = error as ClaretError;
      if (commitState === 'none' && (label !== 'Random' || code !== 'below_bound')) expect(error).toMatchObject({ retryable: true });
      return false;
    }
    this.history.push({ at, steps });
    return true;
  }

  async #randomOne(claret: Claret): Promise<void> {
    const steps = Array.from({ length: 1 + this.random.below(4) }, () => randomStep(this.random));
    await this.#run(claret, 'Random', async (_tx, done) => {
      for (const step of steps) await done(step);
    });
  }

  /** Reads a pair that every transaction leaves equal, and decides by the parity of what it reads which counter it adds to. */
  async #pairOne(claret: Claret, fickle: boolean): Promise<void> {
    const awaited = true;
    const moved = await this.#run(claret, fickle ? 'Fickle' : 'Steady', async (_tx, done) => {
      const [x, y] = [
        await done({ name: 'Counter.value', key: PAIR[0], args: [], awaited }),
        await done({ name: 'Counter.value', key: PAIR[1], args: [], awaited }),
      ];
      if (x !== y) this.unequal.push([x, y]);
      const side = !fickle || Number(x) % 2 === 0 ? 'even' : 'odd';
      await done({ name: 'Counter.add', key: side, args: [1], awaited: false });
      if (fickle && Number(x) % 3 === 0) await done({ name: 'Counter.value', key: 'third', args: [], awaited });
      for (const key of PAIR) await done({ name: 'Counter.add', key, args: [1], awaited: false });
    });
    if (moved) this.moved++;
  }

  /** Takes from a stock only what it has read to be there: such a body is never refused. */
  async #stockOne(claret: Claret): Promise<void> {
    await this.#run(claret, 'Stock', async (_tx, done) => {
      const left = Number(await done({ name: 'BoundedCounter.value', key: 'stock', args: [], awaited: true }));
      const [name, n] = left >= 2 ? ['BoundedCounter.decrement', 2] : ['BoundedCounter.increment', 5];
      await done({ name: name as string, key: 'stock', args: [n], awaited: false });
    });
  }

  async run(combining: 'always' | undefined) {
    const { environment, random } = this;
    const cluster = await environment.runUntil(inProcessCluster({ shards: 1, environment }));
    const clients = await environment.runUntil(Promise.all([1, 2, 3].map(() => cluster.connect({ combining }))));
    await this.#wait(5);
    const worker = async (claret: Claret) => {
      for (let i = 0; i < 40; i++) {
        const kind = random.below(10);
        if (kind === 0) await this.#randomOne(claret);
        else if (kind === 1) await this.#stockOne(claret);
        else await this.#pairOne(claret, kind === 2);
      }
    };
    const working = Promise.all(Array.from({ length: 36 }, (_, i) => worker(clients[i % 3]!)));
    for (let i = 1; i <= 8; i++) environment.setTimeout(() => this.#disturb(cluster), i * 1.7);
    await environment.runUntil(working);
    await this.#wait(50);
    for (const shard of cluster.shards) expect(shard.counters()).toMatchObject({ attemptsInFlight: 0, waiting: 0 });
    const sum = (of: (claret: Claret) => number) => clients.reduce((total, claret) => total + of(claret), 0);
    const [x, y, even, odd] = await environment.runUntil(
      clients[0]!.transact(
        'Read',
        [...PAIR, 'even', 'odd'].map((key) => clients[0]!.on.counter(key).value()),
      ),
    );
    const counts = {
      committed: this.history.length,
      members: sum(({ counters }) => counters.members),
      outs: sum(({ counters }) => counters.outs),
      broken: sum(({ counters }) => counters.chainsBroken),
      begunAnew: sum(({ counters }) => counters.begunAnew),
      denied: sum(({ counters }) => counters.membersDenied),
    };
    await environment.runUntil(cluster.stop());
    return { values: { x, y, sum: Number(even) + Number(odd) }, counts };
  }

  #disturb(cluster: InProcessCluster): void {
    const { environment, random } = this;
    if (this.#kind === 'breaking' && random.below(2) === 0) return cluster.hosts[0]!.breakSessions();
    if (this.#kind !== 'switching') return;
    const conditions = {
      locks: random.pick(['abstract', 'abstract', 'rw'] as const),
      phasing: random.below(4) > 0,
      combining: random.pick(['auto', 'auto', 'off'] as const),
    };
    for (const { shard } of cluster.hosts) shard.setConditions(conditions, environment.wallMs(), environment.monotonicMs());
  }

  #wait(ms: number): Promise<void> {
    return this.environment.runUntil(new Promise<void>((resolve) => void this.environment.setTimeout(resolve, ms)));
  }
}

/** Runs the transactions one at a time, in timestamp order. Every result must be the same. */
async function replay(history: Committed[]): Promise<void> {
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
}

describe('transactions that are forecast and sent whole', () => {
  const kinds: [string, Kind, 'always' | undefined][] = [
    ['always', 'quiet', 'always'],
    ['always, while sessions break', 'breaking', 'always'],
    ['always, while conditions change', 'switching', 'always'],
    ['where it helps', 'quiet', undefined],
  ];
  it.each(kinds)(
    'give the history of an order of commits, and no body sees half of one: %s',
    { timeout: 600_000 },
    async (_, kind, combining) => {
      const total: Record<string, number> = {};
      for (let seed = 1; seed <= seeds; seed++) {
        try {
          const storm = new Storm(seed, kind);
          const { values, counts } = await storm.run(combining);
          expect(storm.unequal).toEqual([]);
          expect(values.x).toBe(values.y);
          expect(values.sum).toBe(values.x);
          // Results that were lost with a session are missing, so the history has gaps.
          if (kind !== 'breaking') {
            expect(values.x).toBe(storm.moved);
            await replay(storm.history);
          }
          for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + count;
        } catch (error) {
          console.log(`seed ${seed}`);
          throw error;
        }
      }
      console.log(total);
      expect(total['committed']).toBeGreaterThan(seeds * 100);
      expect(total['members']).toBeGreaterThan(seeds * 20);
    },
  );
});
