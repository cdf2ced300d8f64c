// The bound on the waits of members of epochs where nothing fails (plan `calm`). A member that just misses an epoch is in the next one, and an
// epoch takes three messages and a write of the logs. So it ends within two intervals and a margin, unless somebody holds one of its records by
// locks: then that long after the last of these has ended.
import { NATIVE_LABEL, type HistoryAttempt } from '@claret/client';
import type { Violation } from '../workloads/violation.ts';

/** The longest time from one epoch to the next (server-core/src/shard/epoch_manager.h). */
const INTERVAL_MS_MAX = 50;
/** Messages on their way, and writes of the logs. */
const MARGIN_MS = 50;
const BOUND_MS = 2 * INTERVAL_MS_MAX + MARGIN_MS;

const milliseconds = (ns: number) => ns / 1e6;

export interface MemberWaits {
  /** members that met nobody who held one of their records by locks */
  alone: number;
  longestMs: number;
  violations: Violation[];
}

/** `attempts`: all of a time at whose ends none was in flight; their times are simulated ns. */
export function memberWaits(attempts: readonly HistoryAttempt[]): MemberWaits {
  const isMember = ({ epoch }: HistoryAttempt) => epoch === true;
  const locking = byKey(attempts.filter((attempt) => !isMember(attempt) && attempt.label !== NATIVE_LABEL));
  const waits: MemberWaits = { alone: 0, longestMs: 0, violations: [] };
  for (const { process, label, call, return: end, ops } of attempts.filter(isMember)) {
    const met = [...new Set(ops.map(({ key }) => key))].flatMap((key) => (locking.get(key) ?? []).filter(overlaps(call, end)));
    const waitedMs = milliseconds(end - met.reduce((last, other) => Math.max(last, Math.min(other.return, end)), call));
    if (met.length === 0) waits.alone++;
    waits.longestMs = Math.max(waits.longestMs, waitedMs);
    if (waitedMs <= BOUND_MS) continue;
    const text = `${label} of ${process} was a member of an epoch for ${waitedMs.toFixed(1)} ms in which nobody held its records by locks`;
    waits.violations.push({ rule: 'member wait', text });
  }
  return waits;
}

const overlaps = (call: number, end: number) => (other: HistoryAttempt) => other.call <= end && other.return >= call;

function byKey(attempts: readonly HistoryAttempt[]): Map<string, HistoryAttempt[]> {
  const found = new Map<string, HistoryAttempt[]>();
  for (const attempt of attempts) {
    for (const key of new Set(attempt.ops.map((op) => op.key))) {
      const ofKey = found.get(key);
      if (ofKey === undefined) found.set(key, [attempt]);
      else ofKey.push(attempt);
    }
  }
  return found;
}
