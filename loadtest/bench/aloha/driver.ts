// The driver process of `bench -- aloha`: runs one cell at a time, and compares what is stored with what was acknowledged at its end.

import { connect } from '@claret/client';
import { runClosedLoop } from '../../kit/closed-loop.ts';
import { answerParent } from '../../kit/driver-process.ts';
import { randomFrom } from '../../kit/random.ts';
import { mean, quantile } from '../../kit/statistics.ts';
import { Lists, ranOutOfTime } from './lists.ts';
import type { Answer, Question } from './question.ts';

const WARM_SHARE = 0.4;
/** How much longer than told a cell may take in which hardly anything commits. */
const STRETCH_MAX = 4;

answerParent<Question, Answer>(async ({ addresses, pids, way, size, inFlight, keys, seed, seconds }) => {
  const claret = await connect({ addresses, name: 'bench', attemptsMax: 100_000, timeoutMs: 10_000 });
  const lists = new Lists(claret, { way, size, keys, random: randomFrom(seed) });
  const tookMs: number[] = [];
  const load = {
    begin(done: () => void) {
      const begunMs = performance.now();
      lists.run().then(
        () => {
          tookMs.push(performance.now() - begunMs);
          done();
        },
        // Where locks collapse, lists run out of time.
        (error: unknown) => {
          if (!ranOutOfTime(error)) throw error;
          setImmediate(done);
        },
      );
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
  await lists.check();
  await load.close();
  const [first, last] = span.totals!;
  // What is done has committed; lists that are sent as natives are counted nowhere else.
  const commits = last.done! - first.done!;
  const perOperation = (us: number) => us / Math.max(1, commits * size);
  // None has committed within the span: it takes longer than that.
  const steady = commits === 0 ? [1_000 * span.seconds] : tookMs.slice(first.done, last.done);
  return {
    lists_per_s: commits / span.seconds,
    mean_ms: mean(steady),
    p50_ms: quantile(steady, 0.5),
    p99_ms: quantile(steady, 0.99),
    retries_per_commit: (last.retries! - first.retries!) / Math.max(1, commits),
    epoch_share: (last.epochs! - first.epochs!) / Math.max(1, commits),
    client_us_per_op: perOperation(span.client_cpu_us),
    gateway_us_per_op: perOperation(span.server_cpu_us),
  };
});
