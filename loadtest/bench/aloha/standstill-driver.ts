// The driver process of the part `straggler`: keeps lists of both kinds in flight, each kind as an app server of its own, while a gateway stands still or is
// killed. It stops the gateway itself, so that one clock has all moments.

import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Claret } from '@claret/client';
import { answerParent } from '../../kit/driver-process.ts';
import { pick, randomFrom } from '../../kit/random.ts';
import type { Done } from './gaps.ts';
import { keysOnShard } from './keys.ts';
import { ranOutOfTime, Lists } from './lists.ts';
import { kindAnswer, type Kind, type KindAnswer, type StandstillAnswer, type StandstillQuestion } from './standstill.ts';

/** at each shard, of each kind */
const KEYS = 2_000;
/** until compilers and connections have settled */
const WARM_MS = 500;

class KindLoad {
  readonly done: Done[] = [];
  readonly #claret: Claret;
  readonly #lists: Lists;
  readonly #running: Promise<void>[];
  #ends = false;

  constructor(claret: Claret, kind: Kind, at: readonly [number, number], question: StandstillQuestion) {
    const { way, size, inFlight, readShare, shards, seed } = question;
    const random = randomFrom(seed + at[0]);
    const pools = at.map((shard) => {
      const keys = keysOnShard(shard, shards, kind);
      return Array.from({ length: KEYS }, () => keys.next().value);
    });
    const draw = () => {
      const drawn = new Set<string>();
      while (drawn.size < size) drawn.add(pick(random, pools[drawn.size % pools.length]!));
      return [...drawn];
    };
    this.#claret = claret;
    this.#lists = new Lists(claret, { way, readShare, random, draw });
    this.#running = Array.from({ length: inFlight }, () => this.#run());
  }

  async #run(): Promise<void> {
    while (!this.#ends) {
      const begunMs = performance.now();
      try {
        const inEpoch = await this.#lists.run();
        this.done.push({ begunMs, endedMs: performance.now(), inEpoch });
      } catch (error) {
        if (!ranOutOfTime(error)) throw error;
      }
    }
  }

  /** attempts that were followed by another, so far */
  get retries(): number {
    return this.#claret.counters.retries;
  }

  /** Compares what is stored with what was acknowledged. */
  async end(): Promise<void> {
    this.#ends = true;
    await Promise.all(this.#running);
    await this.#lists.check();
    await this.#claret.close();
  }
}

/** Resolves with the moment of the stop, once it is over. */
async function standStill(pid: number, stopMs: number | null): Promise<number> {
  const stoppedMs = performance.now();
  process.kill(pid, stopMs === null ? 'SIGKILL' : 'SIGSTOP');
  if (stopMs === null) return stoppedMs;
  try {
    await sleep(stopMs);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  return stoppedMs;
}

answerParent<StandstillQuestion, StandstillAnswer>(async (question) => {
  const { addresses, kinds, pid, stopMs, calmMs, afterMs } = question;
  const loads: [Kind, KindLoad][] = [];
  for (const [kind, at] of Object.entries(kinds) as [Kind, [number, number]][]) {
    const claret = await connect({ addresses, name: kind, attemptsMax: 100_000, timeoutMs: 10_000 });
    loads.push([kind, new KindLoad(claret, kind, at, question)]);
  }
  await sleep(WARM_MS + calmMs);
  const retries = loads.map(([, load]) => load.retries);
  const stoppedMs = await standStill(pid, stopMs);
  await sleep(afterMs);
  const endMs = performance.now();
  const answers = loads.map(([kind, load], i): [Kind, KindAnswer] => {
    const observed = { done: load.done, retries: load.retries - retries[i]!, stopMs, stoppedMs, endMs };
    return [kind, kindAnswer(observed)];
  });
  await Promise.all(loads.map(([, load]) => load.end()));
  return Object.fromEntries(answers);
});
