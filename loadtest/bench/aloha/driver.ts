// The driver process of `bench -- aloha`: runs one cell at a time, and checks at its end that each record holds the write with the greatest commit
// timestamp.

import { ClaretError, connect, type Claret } from '@claret/client';
import { runClosedLoop } from '../../kit/closed-loop.ts';
import { answerParent } from '../../kit/driver-process.ts';
import { randomFrom } from '../../kit/random.ts';
import { quantile } from '../../kit/statistics.ts';
import type { Answer, Question } from './question.ts';

const WARM_SHARE = 0.4;
/** records that are compared at the end */
const COMPARED_MAX = 2_000;

interface Write {
  at: bigint;
  text: string;
}

class Lists {
  readonly #claret: Claret;
  readonly #question: Question;
  readonly #random: () => number;
  readonly #newest = new Map<string, Write>();
  /** of lists whose outcome is unknown: their records are not compared */
  readonly #unsure = new Set<string>();
  #written = 0;

  constructor(claret: Claret, question: Question) {
    this.#claret = claret;
    this.#question = question;
    this.#random = randomFrom(question.seed);
  }

  #keys(): string[] {
    const { size, keys, hotKeys } = this.#question;
    const drawn = new Set<string>();
    if (hotKeys > 0) drawn.add(`hot:${Math.floor(this.#random() * hotKeys)}`);
    while (drawn.size < size) drawn.add(`row:${Math.floor(this.#random() * keys)}`);
    return [...drawn];
  }

  async run(): Promise<void> {
    const claret = this.#claret;
    const keys = this.#keys();
    const way = this.#question.way === 'epoch' ? 'epoch' : 'locks';
    if (this.#random() < this.#question.readShare) {
      await claret.readOnly(
        'Read',
        keys.map((key) => claret.on.register(key).get()),
        { way },
      );
      return;
    }
    const text = `${(++this.#written).toString(36).padStart(8, '0')}`;
    const onCommit = ({ committedAt }: { committedAt: bigint }) => this.#committed(keys, { at: committedAt, text });
    try {
      await claret.writeOnly(
        'Write',
        keys.map((key) => claret.on.register(key).set(text)),
        { way, onCommit },
      );
    } catch (error) {
      if (!(error instanceof ClaretError) || error.commitState !== 'none') for (const key of keys) this.#unsure.add(key);
      throw error;
    }
  }

  #committed(keys: readonly string[], write: Write): void {
    for (const key of keys) if ((this.#newest.get(key)?.at ?? 0n) < write.at) this.#newest.set(key, write);
  }

  /** Throws if a record does not hold its newest write. Without locks the order of writes is nobody's. */
  async check(): Promise<void> {
    if (this.#question.way === 'none') return;
    const compared = [...this.#newest].filter(([key]) => !this.#unsure.has(key)).slice(0, COMPARED_MAX);
    const held = await Promise.all(compared.map(([key]) => this.#claret.native.register(key).get()));
    for (const [i, [key, { text }]] of compared.entries()) {
      if (held[i] !== text) throw new Error(`${key} holds ${String(held[i])}, but the newest write is ${text}`);
    }
  }
}

answerParent<Question, Answer>(async (question) => {
  const claret = await connect({ addresses: question.addresses, name: 'bench', attemptsMax: 100_000, timeoutMs: 10_000 });
  const lists = new Lists(claret, question);
  const tookMs: number[] = [];
  const load = {
    begin(done: () => void) {
      const beganMs = performance.now();
      void lists.run().then(
        () => {
          tookMs.push(performance.now() - beganMs);
          done();
        },
        // Where locks collapse, lists run out of time.
        (error: unknown) => {
          if (!(error instanceof ClaretError) || error.commitState !== 'none') throw error;
          setImmediate(done);
        },
      );
    },
    totals: () => ({
      lists: tookMs.length,
      commits: claret.counters.commits,
      epochs: claret.counters.epochCommits,
      retries: claret.counters.retries,
    }),
    close: () => claret.close(),
  };
  const { inFlight, seconds } = question;
  const span = await runClosedLoop(load, { inFlight, seconds, warmSeconds: seconds * WARM_SHARE, stretchMax: 4, serverPids: [] });
  await lists.check();
  await load.close();
  const [first, last] = span.totals!;
  const commits = last.commits! - first.commits!;
  const steady = tookMs.slice(first.lists, last.lists);
  return {
    txn_per_s: commits / span.seconds,
    // None has committed within the span: it takes longer than that.
    p50_ms: steady.length === 0 ? 1_000 * span.seconds : quantile(steady, 0.5),
    p99_ms: steady.length === 0 ? 1_000 * span.seconds : quantile(steady, 0.99),
    retries_per_commit: (last.retries! - first.retries!) / Math.max(1, commits),
    epoch_share: (last.epochs! - first.epochs!) / Math.max(1, commits),
  };
});
