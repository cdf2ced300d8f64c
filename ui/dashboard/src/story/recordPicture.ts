// The picture of one record over a short time: who held it, as its shard reports for all transactions; and sampled transactions there, as they
// held it, waited for it or were thrown back. A waiter and one thrown back belong to the holder that stood in the way: the phase in force then.
import type { OperationSlice } from '@claret/client/telemetry';
import type { Span, SampledAttempt, TelemetryStore, TransactionSample } from '../store/telemetryStore.ts';

/** Limit on what is drawn; the newest stay. */
const DRAWN_MAX = 60;
/** A wait is drawn below the others that overlap it. */
const ROWS_MAX = 6;
/** Rows are kept apart by this share of the span. */
const APART = 0.012;

export interface HeldPhase {
  mode: string;
  from_ms: number;
  to_ms: number;
}

export interface Held {
  sample: TransactionSample;
  attempt: SampledAttempt;
  operation: string;
  from_ms: number;
  to_ms: number;
  /** operations of others that held it at the same time */
  beside: number;
  isLost: boolean;
}

export interface KeptOut {
  sample: TransactionSample;
  attempt: SampledAttempt;
  operation: string;
  /** what was in the way, as "Bid: TopK.add"; empty if unknown */
  behind: string;
  from_ms: number;
  to_ms: number;
  /** it was refused, and had to try again */
  isThrownBack: boolean;
  /** from 0 */
  row: number;
}

export interface RecordPicture {
  span: Span;
  phases: HeldPhase[];
  held: Held[];
  keptOut: KeptOut[];
  /** the most operations that held it at once, by the shard's reports, and how many conflicts there were each second */
  holders_max: number;
  conflicts_per_s: number;
}

export function recordPicture(store: TelemetryStore, key: string, span: Span): RecordPicture | null {
  const lane = store.records.lane(key);
  if (lane === null) return null;
  const phases: HeldPhase[] = [];
  lane.phases(span, (mode, from_ms, to_ms) => phases.push({ mode: store.records.modes[mode] ?? '', from_ms, to_ms }));
  const holders = mostAtOnce(lane, span);
  const held: Held[] = [];
  const keptOut: Omit<KeptOut, 'row'>[] = [];
  for (const sample of store.samples.list(span, { key })) {
    for (const attempt of sample.attempts) {
      const found = attemptAt(attempt, key);
      if (found === null || found.to_ms < span.from_ms || found.from_ms >= span.to_ms) continue;
      const { operation, from_ms, granted_ms, to_ms, beside, behind, isThrownBack } = found;
      const about = { sample, attempt, operation };
      if (isThrownBack || granted_ms === null || granted_ms > from_ms) {
        keptOut.push({ ...about, behind, from_ms, to_ms: isThrownBack ? from_ms : (granted_ms ?? to_ms), isThrownBack });
      }
      if (granted_ms !== null) held.push({ ...about, from_ms: granted_ms, to_ms, beside, isLost: attempt.outcome === 'aborted' });
    }
  }
  const seconds = (span.to_ms - span.from_ms) / 1_000;
  return {
    span,
    phases,
    held: held.slice(0, DRAWN_MAX),
    keptOut: inRows(keptOut.slice(0, DRAWN_MAX), span),
    holders_max: Math.max(holders, ...held.map(({ beside }) => beside + 1), ...(phases.length > 0 ? [1] : [])),
    conflicts_per_s: lane.counts(span).conflicts / seconds,
  };
}

/** The most holders at once, over all its modes. */
function mostAtOnce(lane: NonNullable<ReturnType<TelemetryStore['records']['lane']>>, span: Span): number {
  let [holders, at_ms, holdersThen] = [0, -1, 0];
  lane.queues(span, (told_ms, _, held) => {
    if (told_ms !== at_ms) [at_ms, holdersThen] = [told_ms, 0];
    holdersThen += held;
    holders = Math.max(holders, holdersThen);
  });
  return holders;
}

interface Found {
  operation: string;
  from_ms: number;
  /** null: never */
  granted_ms: number | null;
  isThrownBack: boolean;
  to_ms: number;
  beside: number;
  behind: string;
}

/** What an attempt did at the record; null: nothing there. Of several operations, the first that had to wait, else the first. */
function attemptAt(attempt: SampledAttempt, key: string): Found | null {
  const frame_ms = attempt.ended_ms + attempt.endedAgoMs;
  const there = attempt.requests.flatMap(({ agoMs, operations }) =>
    operations.filter((operation) => operation.key === key).map((operation) => ({ agoMs, operation })),
  );
  const first = there.find(({ operation }) => operation.verdict !== 'granted') ?? there[0];
  if (first === undefined) return null;
  const { operation, verdict, waitedMs, beside, blockingLabel, blockingOperation } = first.operation;
  const from_ms = first.agoMs === null ? attempt.begun_ms : Math.min(frame_ms - first.agoMs, attempt.ended_ms);
  const isThrownBack = verdict === 'denied' || verdict === 'refused';
  const granted_ms = grantedAt(attempt, verdict, from_ms, waitedMs);
  const behind = blockingOperation === null ? '' : `${blockingLabel}: ${blockingOperation}`;
  return { operation, from_ms, granted_ms, isThrownBack, to_ms: attempt.ended_ms, beside, behind };
}

function grantedAt(
  { outcome, ended_ms }: SampledAttempt,
  verdict: OperationSlice['verdict'],
  from_ms: number,
  waitedMs: number,
): number | null {
  if (verdict === 'granted' || verdict === 'ahead') return from_ms;
  if (verdict === 'waited') return Math.min(from_ms + waitedMs, ended_ms);
  // What was thrown back is tried again within its attempt: one that has committed got it in the end, at a time that is not told.
  return outcome === 'committed' ? ended_ms : null;
}

/** Each in the first row in which nothing is as near; the last row takes the rest. */
function inRows(keptOut: readonly Omit<KeptOut, 'row'>[], { from_ms, to_ms }: Span): KeptOut[] {
  const apart_ms = (to_ms - from_ms) * APART;
  const ends = new Array<number>(ROWS_MAX).fill(-Infinity);
  return keptOut
    .toSorted((one, other) => one.from_ms - other.from_ms)
    .map((one) => {
      const free = ends.findIndex((end_ms) => end_ms + apart_ms <= one.from_ms);
      const row = free < 0 ? ROWS_MAX - 1 : free;
      ends[row] = Math.max(one.to_ms, one.from_ms);
      return { ...one, row };
    });
}
