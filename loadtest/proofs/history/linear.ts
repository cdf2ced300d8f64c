// The linearizability check: can the accesses to each record be put into one order that gives the results that were seen, and respects
// real time? The verdict does not depend on timestamps, so it does not share the clocks' mistakes with the history check (check.ts). They
// only tell a search that has taken long what to try first.
//
// Each record is judged by itself ("locality", Herlihy and Wing, "Linearizability", 1990): what a transaction did on one record is a single
// step. Natives of one process on one record are also kept in the order in which they were issued (Mediator, section 3), which is the order
// of their calls: a process does not wait for one before it issues the next. So are the commands of one connection of a Redis client.

import { NATIVE_LABEL, type HistoryAttempt } from '@claret/client';
import { isOfThePast } from './as-of.ts';
import type { Logs } from './check.ts';
import { accessesOf, acknowledgedNs, mayChange } from './committed.ts';
import { findOrder, type Budget, type Visit } from './linear-search.ts';
import { modelOf } from './models/index.ts';
import { REDIS_LABEL } from './redis.ts';
import type { States } from './replay.ts';
import { withoutSnapshot } from './snapshots.ts';
import { callText, type Violation } from './violation.ts';

/** Runs of an access on a model, for a whole history; about 10 s. */
const STEPS_MAX = 2_500_000;
/** For one record, so that the others are judged too. */
const STEPS_OF_RECORD_MAX = 1_000_000;
const SHOWN_MAX = 8;

export interface LinearVerdict {
  violations: Violation[];
  /** the records judged */
  records: number;
  /** records on which the search was given up */
  undecided: string[];
}

export interface LinearOptions {
  /** the records' states before the history, by name (`recordOf`); others are empty */
  states?: Readonly<States>;
  /** records to judge; by default all */
  only?: ReadonlySet<string>;
  steps?: number;
}

/**
 * Judges each record of a history. An `unknown` attempt may have taken effect at any time after its call, or not at all; but not if the
 * logs are complete (`decided`) and do not have it.
 * REQUIRES: processes of different clients have different names.
 */
export function checkLinear(attempts: readonly HistoryAttempt[], logs: Logs = {}, options: LinearOptions = {}): LinearVerdict {
  const visits = visitsByRecord(attempts.filter((attempt) => !isOfThePast(attempt)).map(withoutSnapshot), logs, options.only);
  const budget = options.steps ?? STEPS_MAX;
  let stepsLeft = budget;
  const verdict: LinearVerdict = { violations: [], records: visits.size, undecided: [] };
  for (const [record, ofRecord] of visits) {
    const steps = Math.min(stepsLeft, STEPS_OF_RECORD_MAX);
    const own: Budget = { steps };
    const initial = options.states?.get(record) ?? modelOf(ofRecord[0]!.access.type);
    const found = findOrder(ofRecord, initial, own);
    stepsLeft -= steps - own.steps;
    if (found.kind === 'undecided') verdict.undecided.push(record);
    if (found.kind === 'stuck') verdict.violations.push(violation(record, ofRecord.length, found));
  }
  return verdict;
}

/** In the order of calls. */
function visitsByRecord(attempts: readonly HistoryAttempt[], logs: Logs, only?: ReadonlySet<string>): Map<string, Visit[]> {
  const visits = new Map<string, Visit[]>();
  /** number of the last native by record and process */
  const last = new Map<string, number>();
  for (const attempt of attempts.filter((one) => mayHaveHappened(one, logs)).sort((a, b) => a.call - b.call)) {
    const isNative = (attempt.label === NATIVE_LABEL || attempt.label === REDIS_LABEL) && attempt.outcome === 'ok';
    for (const access of accessesOf(attempt)) {
      if (only !== undefined && !only.has(access.record)) continue;
      let ofRecord = visits.get(access.record);
      if (ofRecord === undefined) visits.set(access.record, (ofRecord = []));
      const issuer = `${attempt.process} ${access.record}`;
      const previous = isNative ? last.get(issuer) : undefined;
      // What was issued at one reading of the clock is in no order.
      const after = previous !== undefined && ofRecord[previous]!.callNs < attempt.call ? previous : null;
      if (isNative) last.set(issuer, ofRecord.length);
      ofRecord.push({
        access,
        by: `${attempt.process} ${attempt.label}`,
        callNs: attempt.call,
        endNs: acknowledgedNs(attempt),
        isOptional: acknowledgedNs(attempt) === Infinity && logs.committed?.has(attempt.id) !== true,
        after,
        guess: BigInt(attempt.order ?? logs.committed?.get(attempt.id) ?? 0),
      });
    }
  }
  return visits;
}

function mayHaveHappened(attempt: HistoryAttempt, logs: Logs): boolean {
  if (attempt.outcome !== 'unknown') return attempt.outcome === 'ok';
  const isExcluded = logs.decided === true && attempt.order === undefined && logs.committed?.has(attempt.id) !== true;
  return !isExcluded && mayChange(attempt);
}

function violation(record: string, count: number, { placed, next }: { placed: number; next: readonly Visit[] }): Violation {
  const lines = next
    .slice(0, SHOWN_MAX)
    .map(
      ({ access, by, callNs, endNs }) =>
        `    ${by}, ${callNs} to ${endNs === Infinity ? 'unknown' : endNs} ns: ${access.operations.map(callText).join('; ')}`,
    );
  const rest = next.length > SHOWN_MAX ? [`    and ${next.length - SHOWN_MAX} more`] : [];
  return {
    rule: 'linear',
    text: `no order of the ${count} accesses to ${record} explains them: after at most ${placed}, none of these can come next:\n${[...lines, ...rest].join('\n')}`,
    attempts: [],
  };
}
