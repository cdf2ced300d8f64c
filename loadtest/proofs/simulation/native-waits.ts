// The bound on the waits of natives where nothing fails (plan `calm`). A native waits for attempts that have voted, for its guard time
// also for guarded ones, and behind natives that came before it. Once it has waited for its patience, newcomers stay out, unless they
// are older than an attempt that has voted; and that one came before. So all that a native waits for began before its patience was over
// (docs/rules.md, section 13), and how long the rest of it takes is the bound: another shard may have to grant it a lock first.
import { NATIVE_LABEL, type HistoryAttempt } from '@claret/client';
import type { Violation } from '../workloads/violation.ts';

/** As in the core (server-core/src/gate/locks.h, transaction/natives.h). */
const PATIENCE_MS = 1;
const GUARD_MS = 5;
/** Messages on their way, writes of the logs, and outcomes that travel with a later frame. */
const MARGIN_MS = 50;
/** The native's own way to the shard. */
const TRAVEL_MS = 1;

const milliseconds = (ns: number) => ns / 1e6;

/** `attempts`: all of a time at whose ends none was in flight; their times are simulated ns. Returns the natives that waited for longer. */
export function longNativeWaits(attempts: readonly HistoryAttempt[]): Violation[] {
  const transactions = transactionsByKey(attempts);
  return attempts.flatMap(({ label, call, return: end, process, ops: [operation] }) => {
    const waitedMs = milliseconds(end - call);
    if (label !== NATIVE_LABEL || operation === undefined || waitedMs <= PATIENCE_MS + GUARD_MS + MARGIN_MS) return [];
    const earlier = (transactions.get(operation.key) ?? []).filter(
      ({ begunNs }) => milliseconds(begunNs - call) <= TRAVEL_MS + PATIENCE_MS,
    );
    const lastNs = earlier.reduce((last, { endNs }) => Math.max(last, endNs), call);
    const afterMs = milliseconds(end - lastNs);
    if (afterMs <= GUARD_MS + MARGIN_MS) return [];
    const text = `a native of ${process} on ${operation.key} waited ${waitedMs.toFixed(1)} ms, ${afterMs.toFixed(1)} ms longer than any transaction that had begun before it had waited for ${PATIENCE_MS} ms`;
    return [{ rule: 'native wait', text }];
  });
}

/** For each record, the attempts that visited it: the beginning of the transaction and the end of the attempt. */
function transactionsByKey(attempts: readonly HistoryAttempt[]): Map<string, { begunNs: number; endNs: number }[]> {
  const begunNs = new Map<string, number>();
  for (const { transaction, call } of attempts) begunNs.set(transaction, Math.min(call, begunNs.get(transaction) ?? Infinity));
  const byKey = new Map<string, { begunNs: number; endNs: number }[]>();
  for (const { transaction, label, return: endNs, ops } of attempts) {
    if (label === NATIVE_LABEL) continue;
    for (const key of new Set(ops.map((op) => op.key))) {
      const ofKey = byKey.get(key) ?? [];
      ofKey.push({ begunNs: begunNs.get(transaction)!, endNs });
      byKey.set(key, ofKey);
    }
  }
  return byKey;
}
