// A sampled transaction as slices on its own time axis, which begins with its first known attempt. There is one lane for each
// attempt at each shard. In it the attempt runs (its app server works, or messages travel), waits for locks, or has voted and waits
// for the outcome. For an abort that was not sampled from its beginning, running and waiting times are unknown.
import type { OperationSlice } from '@claret/client/telemetry';
import type { SampledAttempt, TransactionSample } from '../../store/telemetryStore.ts';

export type SliceKind = 'runs' | 'waits' | 'voted' | 'unknown';

export interface Slice {
  kind: SliceKind;
  /** ms after the transaction's beginning */
  from_ms: number;
  to_ms: number;
}

export interface OperationRow {
  slice: OperationSlice;
  /** the number of its request at that shard, from 1 */
  request: number;
  /** null: unknown */
  at_ms: number | null;
  /** the wait that began then */
  wait: Slice | null;
}

export interface Lane {
  attempt: SampledAttempt;
  begun_ms: number;
  ended_ms: number;
  /** without gaps, from beginning to end */
  slices: Slice[];
  /** when requests were executed */
  requests_ms: number[];
  operations: OperationRow[];
}

export interface Slices {
  /** 0 if the whole transaction happened in one turn of a shard */
  length_ms: number;
  lanes: Lane[];
  /** number of its attempts before the first known one */
  attemptsUnknown: number;
}

export function slicesOf(sample: TransactionSample): Slices {
  return {
    length_ms: sample.ended_ms - sample.begun_ms,
    lanes: sample.attempts.map((attempt) => laneOf(attempt, sample.begun_ms)),
    attemptsUnknown: unknownBefore(sample),
  };
}

/** Attempts that are counted in `retries` and were not sampled. */
function unknownBefore({ attempts }: TransactionSample): number {
  const known = new Set(attempts.map(({ retries }) => retries));
  return Math.max(...known) + 1 - known.size;
}

function laneOf(attempt: SampledAttempt, origin_ms: number): Lane {
  const begun_ms = attempt.begun_ms - origin_ms;
  const ended_ms = attempt.ended_ms - origin_ms;
  const frame_ms = ended_ms + attempt.endedAgoMs;
  const within = (at_ms: number) => Math.min(Math.max(at_ms, begun_ms), ended_ms);
  const voted_ms = attempt.voted_ms === null ? null : within(attempt.voted_ms - origin_ms);
  const operations = attempt.requests.flatMap((request, place) =>
    request.operations.map((slice): OperationRow => {
      const at_ms = request.agoMs === null ? null : within(frame_ms - request.agoMs);
      const hasWaited = at_ms !== null && slice.waitedMs > 0;
      const wait = hasWaited ? { kind: 'waits' as const, from_ms: at_ms, to_ms: within(at_ms + slice.waitedMs) } : null;
      return { slice, request: place + 1, at_ms, wait };
    }),
  );
  const waits = operations.flatMap(({ wait }) => (wait === null ? [] : [wait]));
  return {
    attempt,
    begun_ms,
    ended_ms,
    slices: sliced(begun_ms, voted_ms, ended_ms, waits, attempt.traced ? 'runs' : 'unknown'),
    requests_ms: attempt.requests.flatMap(({ agoMs }) => (agoMs === null ? [] : [within(frame_ms - agoMs)])),
    operations,
  };
}

/** Waits are laid over the running (or unknown) time; overlapping waits are merged. */
function sliced(begun_ms: number, voted_ms: number | null, ended_ms: number, waits: readonly Slice[], otherwise: SliceKind): Slice[] {
  const runs_ms = voted_ms ?? ended_ms;
  const slices: Slice[] = [];
  let at_ms = begun_ms;
  const until = (to_ms: number, kind: SliceKind) => {
    if (to_ms <= at_ms) return;
    const last = slices.at(-1);
    if (last?.kind === kind) last.to_ms = to_ms;
    else slices.push({ kind, from_ms: at_ms, to_ms });
    at_ms = to_ms;
  };
  for (const { from_ms, to_ms } of [...waits].sort((a, b) => a.from_ms - b.from_ms)) {
    until(Math.min(from_ms, runs_ms), otherwise);
    until(Math.min(to_ms, runs_ms), 'waits');
  }
  until(runs_ms, otherwise);
  until(ended_ms, 'voted');
  return slices;
}

/** Sums by kind, for the text beside the drawing. */
export function timeSpent({ slices }: Lane): Record<SliceKind, number> {
  const spent = { runs: 0, waits: 0, voted: 0, unknown: 0 };
  for (const { kind, from_ms, to_ms } of slices) spent[kind] += to_ms - from_ms;
  return spent;
}

/** Merges consecutive operations of a request that are equal and have the same outcome. */
export function alikeTogether(rows: readonly OperationRow[]): { row: OperationRow; count: number }[] {
  const told: { row: OperationRow; count: number }[] = [];
  for (const row of rows) {
    const last = told.at(-1);
    if (last !== undefined && JSON.stringify(last.row) === JSON.stringify(row)) last.count += 1;
    else told.push({ row, count: 1 });
  }
  return told;
}
