// The history check (docs/rules.md, section 8): do the attempts of a history, as their clients saw them, fit into one order that
// respects commit timestamps between conflicting attempts, and real time? docs/history.md describes the rules.

import type { HistoryAttempt } from '@claret/client';
import { AsOf, isOfThePast } from './as-of.ts';
import { committedOf, mayChange, recordOf, type Committed } from './committed.ts';
import { OrderCheck } from './order.ts';
import type { Past } from './past.ts';
import { replay, type Given, type States } from './replay.ts';
import { Snapshots, withoutSnapshot } from './snapshots.ts';
import { nameOf, type Violation } from './violation.ts';

/** The contents of the shards' logs, in addition to the clients' reports. */
export interface Logs {
  /** commit timestamps, decimal, by the ids of the attempts that are committed in the logs */
  committed?: ReadonlyMap<string, string>;
  /** the logs are complete: an attempt that changes something and is not in them is not committed */
  decided?: boolean;
}

/** For a history that is checked in parts, each part after all attempts of the earlier ones have ended. */
export interface Before {
  /** the records' states after the earlier parts; updated to those after this part */
  states?: States;
  /** the identifiers returned so far; updated likewise */
  given?: Map<string, Given>;
  /** the records' last timestamps; updated likewise */
  past?: Past;
  /** the records' last changes, for later snapshots; updated likewise */
  snapshots?: Snapshots;
  /** the records' last changes, for later reads of the past; updated likewise */
  asOf?: AsOf;
}

export interface Verdict {
  ok: boolean;
  violations: Violation[];
  attempts: number;
  committed: number;
  operations: number;
  /** concurrent pairs that do not commute and whose order in real time contradicts their timestamps */
  conflicts: number;
  /** cycles of conflicts and real time that another order of the same transactions explains */
  explained: number;
  /** attempts that may or may not have changed something; their records are ignored */
  undecided: number;
}

export function checkHistory(attempts: readonly HistoryAttempt[], logs: Logs = {}, before: Before = {}): Verdict {
  const violations: Violation[] = [];
  const ofTheirTime = attempts.filter((attempt) => !isOfThePast(attempt));
  const { orders, undecided } = ordersOf(ofTheirTime.map(withoutSnapshot), logs, violations);
  const ignored = new Set(undecided.flatMap(({ ops }) => ops.map(recordOf)));
  const committed = [...orders].map(([attempt, order]) => committedOf(attempt, order, ignored));
  committed.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  violations.push(...sameTimestamps(committed), ...committedTwice(committed));
  // First, because the replay moves the states.
  const states = before.states ?? new Map();
  violations.push(...(before.snapshots ?? new Snapshots()).check(attempts, committed, states, ignored));
  violations.push(...(before.asOf ?? new AsOf()).check(attempts, committed, states, ignored));
  const order = new OrderCheck(committed);
  violations.push(
    ...replay(committed, (position, access, model) => order.before(position, access, model), states, before.given),
    ...order.finish(),
  );
  violations.push(...(before.past?.take(committed) ?? []));
  return {
    ok: violations.length === 0,
    violations,
    attempts: attempts.length,
    committed: committed.length,
    operations: committed.reduce((sum, { attempt }) => sum + attempt.ops.length, 0),
    conflicts: order.conflicts,
    explained: order.explained,
    undecided: undecided.length,
  };
}

/** Which attempts committed, and at which timestamp, as far as it can be determined. */
function ordersOf(attempts: readonly HistoryAttempt[], logs: Logs, violations: Violation[]) {
  const orders = new Map<HistoryAttempt, string>();
  const undecided: HistoryAttempt[] = [];
  for (const attempt of attempts) {
    if (attempt.ops.length === 0) continue;
    const violation = (rule: Violation['rule'], what: string) =>
      void violations.push({ rule, text: `${attempt.label} ${attempt.id}: ${what}`, attempts: [attempt.id] });
    const logged = logs.committed?.get(attempt.id);
    if (attempt.outcome === 'fail') {
      if (logged !== undefined) violation('aborted', `told as failed (${attempt.error}), but the logs have it committed at ${logged}`);
      continue;
    }
    const order = attempt.order ?? logged;
    if (attempt.outcome === 'ok') {
      if (attempt.order === undefined) violation('timestamp', 'acknowledged without a commit timestamp');
      else if (logged !== undefined && BigInt(logged) !== BigInt(attempt.order)) {
        violation('timestamp', `told to be committed at ${attempt.order}, the logs say ${logged}`);
      } else if (logged === undefined && logs.decided === true && mayChange(attempt)) {
        violation('lost', `acknowledged at ${attempt.order}, but not in the logs`);
      }
    }
    if (order !== undefined) orders.set(attempt, order);
    else if (mayChange(attempt) && logs.decided !== true) undecided.push(attempt);
  }
  return { orders, undecided };
}

// Transactions that read from memory have the timestamps of what they read, which others may have read as well.
function sameTimestamps(committed: readonly Committed[]): Violation[] {
  return committed.flatMap((second, i) => {
    const first = committed[i - 1];
    if (first === undefined || first.at !== second.at) return [];
    if (!mayChange(first.attempt) && !mayChange(second.attempt)) return [];
    const attempts = [first.attempt.id, second.attempt.id];
    return [{ rule: 'timestamp' as const, text: `one timestamp for two: ${nameOf(first)} and ${nameOf(second)}`, attempts }];
  });
}

function committedTwice(committed: readonly Committed[]): Violation[] {
  const first = new Map<string, Committed>();
  return committed.flatMap((second) => {
    const before = first.get(second.attempt.transaction ?? second.attempt.id);
    if (before === undefined) {
      first.set(second.attempt.transaction ?? second.attempt.id, second);
      return [];
    }
    const attempts = [before.attempt.id, second.attempt.id];
    return [{ rule: 'twice' as const, text: `both attempts of one transaction: ${nameOf(before)} and ${nameOf(second)}`, attempts }];
  });
}
