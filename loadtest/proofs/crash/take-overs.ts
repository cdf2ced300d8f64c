// What the blows of a run to a replicated store have caused: how often whom was hit, how often a shard got another owner, and how long shards
// gave no answer.

import type { Claret } from '@claret/client';
import { readAtRest } from './at-rest.ts';
import { keyOn } from '../../../client/src/testing/keys.ts';
import { median } from '../../kit/statistics.ts';
import type { Blow, Harm } from './harm.ts';
import { SHARDS } from './store.ts';

/** Longer than any time without an answer, even on a busy machine. */
const WITHIN_MS = 120_000;
const DONE: Record<Blow['how'], string> = {
  kill: 'killed',
  write: 'killed',
  term: 'stopped',
  freeze: 'frozen',
  cut: 'cut off',
  clock: 'set to another time',
};

export class TakeOvers {
  /** "owner killed" → number of blows */
  readonly struck = new Map<string, number>();
  /** "owner killed" → ms until the shard that was hit answered again */
  readonly recoveryMs = new Map<string, number[]>();
  /** transactions of `recover` by shard: begun, and acknowledged */
  readonly #begun: number[] = Array.from({ length: SHARDS }, () => 0);
  readonly #acknowledged: number[] = Array.from({ length: SHARDS }, () => 0);
  #owners = 0;

  /** Takes a line that a gateway has written. */
  takeLine(line: string): void {
    if (line.includes('"owner of the shard"')) this.#owners++;
  }

  /** How often a shard got another owner, or got one back that had lost it. */
  get count(): number {
    return Math.max(0, this.#owners - SHARDS);
  }

  /** Returns the name under which the blow is counted. */
  note({ whom, blows }: Harm, blow: Blow): string {
    const name = `${blow === blows[0] ? whom : 'gateway that was started again'} ${DONE[blow.how]}`;
    this.struck.set(name, (this.struck.get(name) ?? 0) + 1);
    return name;
  }

  /** Measures the time until a transaction that begins now has committed, on each of these shards. Rejects if one does not. */
  async recover(claret: Claret, name: string, shards: readonly number[]): Promise<void> {
    const all = this.recoveryMs.get(name) ?? [];
    this.recoveryMs.set(name, all);
    await Promise.all(
      shards.map(async (shard) => {
        const beganAtMs = performance.now();
        this.#begun[shard]!++;
        await claret.transact('Recover', [claret.on.counter(recordOf(shard)).add(1)], {
          timeoutMs: WITHIN_MS,
          attemptsMax: Infinity, // refused at once while the log is away
        });
        this.#acknowledged[shard]!++;
        all.push(performance.now() - beganAtMs);
      }),
    );
  }

  /** REQUIRES: no `recover` is under way. Returns violations, one line each. */
  async mismatches(claret: Claret): Promise<string[]> {
    const counts = await readAtRest(
      claret,
      'Recovered',
      this.#begun.map((_, shard) => claret.on.counter(recordOf(shard)).value()),
    );
    return counts.flatMap((count, shard) => {
      const [least, most] = [this.#acknowledged[shard]!, this.#begun[shard]!];
      if (Number(count) >= least && Number(count) <= most) return [];
      return [`recovery of shard ${shard}: ${least} of ${most} transactions were acknowledged, and its counter holds ${count}`];
    });
  }

  /** Lines for people. */
  report(): string[] {
    const all = [...this.recoveryMs.values()].flat();
    const each = [...this.recoveryMs].sort(([one], [other]) => (one < other ? -1 : 1));
    return [
      `take-overs: ${this.count}; ${[...this.struck].map(([name, count]) => `${name} ${count}`).join(', ')}`,
      ...each.map(([name, times]) => `answers again after ${name}: ${inSeconds(times)}`),
      `answers again after all blows: ${inSeconds(all)}`,
    ];
  }
}

const recordOf = (shard: number): string => keyOn(shard, 'recovery');

const inSeconds = (times: readonly number[]): string =>
  times.length === 0
    ? 'not measured'
    : `median ${(median(times) / 1_000).toFixed(2)} s, longest ${(Math.max(...times) / 1_000).toFixed(2)} s (${times.length})`;
