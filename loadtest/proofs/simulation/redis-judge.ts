// What Redis clients were told, part by part, in the form that the history check takes (../history/redis.ts).
import type { HistoryAttempt } from '@claret/client';
import { committedOf, type Committed } from '../history/committed.ts';
import { Placing } from '../history/placing.ts';
import { findInLogs, type Logged } from '../history/redis-marks.ts';
import { isOfRedis } from '../history/redis.ts';
import type { States } from '../history/replay.ts';
import type { Violation } from '../history/violation.ts';
import { checkWatched } from '../history/watched.ts';

interface Parts {
  attempts: HistoryAttempt[];
  ambiguous: HistoryAttempt[];
}

const NO_RECORDS: ReadonlySet<string> = new Set();

export class RedisJudge {
  readonly #violations: Violation[] = [];
  readonly #last = new Map<string, bigint>();

  /** Gives the attempts of Redis clients the ids and timestamps that the logs have for them. Those that only observe stay without. */
  find(attempts: readonly HistoryAttempt[], logged: Iterable<Logged>): HistoryAttempt[] {
    const found = findInLogs(attempts, logged);
    this.#violations.push(...found.violations);
    return found.attempts;
  }

  /**
   * The attempts of the part, with timestamps for what Redis clients only observed, and those of them that may have several.
   * @param attempts all of the part @param times by id @param states before them
   */
  place(attempts: readonly HistoryAttempt[], times: ReadonlyMap<string, string>, states: Readonly<States>): Parts {
    const hasNoPlace = (attempt: HistoryAttempt) => isOfRedis(attempt) && attempt.outcome === 'ok' && attempt.order === undefined;
    const readers = attempts.filter(hasNoPlace);
    const others = attempts.filter((attempt) => !hasNoPlace(attempt));
    const committed = committedIn(others, times);
    this.#violations.push(...checkWatched(committed));
    const placing = new Placing(committed, states, this.#last);
    const { placed, ambiguous } = placing.place(readers);
    this.#violations.push(...placing.violations);
    this.#end(committedIn([...others, ...placed], times));
    return { attempts: [...others, ...placed], ambiguous };
  }

  #end(committed: readonly Committed[]): void {
    for (const { at, accesses } of committed) {
      for (const { record } of accesses) if (at > (this.#last.get(record) ?? 0n)) this.#last.set(record, at);
    }
  }

  /** Since the last call. */
  takeViolations(): Violation[] {
    return this.#violations.splice(0);
  }
}

/** In timestamp order. */
function committedIn(attempts: readonly HistoryAttempt[], times: ReadonlyMap<string, string>): Committed[] {
  const committed = attempts.flatMap((attempt) => {
    const order = attempt.order ?? times.get(attempt.id);
    if (order === undefined || attempt.outcome === 'fail' || attempt.as_of !== undefined) return [];
    return [committedOf(attempt, order, NO_RECORDS)];
  });
  return committed.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}
