// The driver process of `bench -- aloha`: runs one cell at a time, and compares what is stored with what was acknowledged at its end.

import { connect, type Claret } from '@claret/client';
import { runClosedLoop } from '../../kit/closed-loop.ts';
import { answerParent } from '../../kit/driver-process.ts';
import { exponential, randomFrom } from '../../kit/random.ts';
import { mean, quantile } from '../../kit/statistics.ts';
import { Interactive } from './interactive.ts';
import { Lists, ranOutOfTime, uniformly } from './lists.ts';
import type { Answer, Question } from './question.ts';

const WARM_SHARE = 0.4;
/** How much longer than told a cell may take in which hardly anything commits. */
const STRETCH_MAX = 4;

interface Work {
  run(): Promise<unknown>;
  check(): Promise<void>;
}

async function workOf(claret: Claret, question: Question): Promise<Work> {
  const random = randomFrom(question.seed);
  if (question.load === 'lists') {
    const { way, readShare } = question;
    return new Lists(claret, { way, readShare, random, draw: () => uniformly(random, question) });
  }
  const interactive = new Interactive(claret, { ...question, random });
  const check = await interactive.begin();
  return { run: () => interactive.run(), check };
}

/** The moments at which transactions begin: at once, or when the next one arrives. */
class Arrivals {
  readonly #meanMs: number;
  readonly #random: () => number;
  #nextMs = performance.now();

  constructor(perSecond: number, seed: number) {
    this.#meanMs = perSecond === 0 ? 0 : 1_000 / perSecond;
    this.#random = randomFrom(seed + 0x5eed);
  }

  /** Calls back with the moment of the next arrival, at it, or at once if it is over: then the load is behind. */
  next(begin: (arrivedMs: number) => void): void {
    const nowMs = performance.now();
    if (this.#meanMs === 0) return begin(nowMs);
    this.#nextMs += exponential(this.#random, this.#meanMs);
    const arrivesMs = this.#nextMs;
    if (arrivesMs <= nowMs) begin(arrivesMs);
    else setTimeout(() => begin(arrivesMs), arrivesMs - nowMs);
  }
}

answerParent<Question, Answer>(async (question) => {
  const { addresses, inFlight, seconds, arrivalsPerSecond, seed, pids } = question;
  const claret = await connect({ addresses, name: 'bench', attemptsMax: 100_000, timeoutMs: 10_000 });
  const work = await workOf(claret, question);
  const arrivals = new Arrivals(arrivalsPerSecond, seed);
  const tookMs: number[] = [];
  const load = {
    begin(done: () => void) {
      arrivals.next((arrivedMs) => {
        work.run().then(
          () => {
            tookMs.push(performance.now() - arrivedMs);
            done();
          },
          // Where locks collapse, lists run out of time.
          (error: unknown) => {
            if (!ranOutOfTime(error)) throw error;
            setImmediate(done);
          },
        );
      });
    },
    totals: () => ({
      done: tookMs.length,
      epochs: claret.counters.epochCommits,
      retries: claret.counters.retries,
    }),
    close: () => claret.close(),
  };
  const span = await runClosedLoop(load, {
    inFlight,
    seconds,
    warmSeconds: seconds * WARM_SHARE,
    stretchMax: STRETCH_MAX,
    serverPids: pids,
  });
  await work.check();
  await load.close();
  const [first, last] = span.totals!;
  // What is done has committed; lists that are sent as natives are counted nowhere else.
  const commits = last.done! - first.done!;
  const perOperation = (us: number) => us / Math.max(1, commits * question.size);
  // None has committed within the span: it takes longer than that.
  const steady = commits === 0 ? [1_000 * span.seconds] : tookMs.slice(first.done, last.done);
  return {
    txn_per_s: commits / span.seconds,
    mean_ms: mean(steady),
    p50_ms: quantile(steady, 0.5),
    p99_ms: quantile(steady, 0.99),
    retries_per_commit: (last.retries! - first.retries!) / Math.max(1, commits),
    epoch_share: (last.epochs! - first.epochs!) / Math.max(1, commits),
    client_us_per_op: perOperation(span.client_cpu_us),
    gateway_us_per_op: pids.length === 0 ? null : perOperation(span.server_cpu_us),
  };
});
