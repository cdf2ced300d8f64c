// Merges consecutive frames of one shard into one: the history keeps one frame a second. Counts add up exactly. Lists keep their
// bounds, and what finds no room is counted, as at the shard.
import { FRAME_TOTALS } from '@claret/client/telemetry';
import type { Conflict, EpochSlice, HotRecord, Phase, Sample, ShardTelemetry, Turns, Warranty } from '@claret/client/telemetry';

const CONFLICTS_MAX = 48;
const HOT_RECORDS_MAX = 32;
/** of one record */
const PHASES_MAX = 32;
/** of one record */
const WARRANTIES_MAX = 32;
const SAMPLES_MAX = 12;
const TURN_SLICES_MAX = 48;
/** short turns of one session within such a time become one slice; as long as there are too many, the time doubles */
const TURN_CELL_MS = 32;
const EPOCH_SLICES_MAX = 48;
/** epochs that begin within such a time become one slice; likewise */
const EPOCH_CELL_MS = 32;

const COUNTED = ['aborts', 'breaks', 'standBacks'] as const;

const ADDED = [
  ...FRAME_TOTALS.map(({ name }) => name),
  'elapsedMs',
  'turnsLeftOut',
  'epochsLeftOut',
  'latencyTotalMs',
  'thrownAwayMs',
  'backingOffMs',
  'queuedMs',
  'conflictsLeftOut',
  'phasesLeftOut',
  'warrantiesLeftOut',
  'abortsLeftOut',
] as const;

/** REQUIRES: at least one; oldest first. They stay as they are. */
export function mergeTelemetry(frames: readonly ShardTelemetry[]): ShardTelemetry {
  const last = frames.at(-1)!;
  if (frames.length === 1) return last;
  const merged: ShardTelemetry = { ...last, aborts: {}, breaks: {}, standBacks: {}, waits: {} };
  const latencies = new Map<number, number>();
  for (const name of ADDED) merged[name] = 0;
  for (const frame of frames) {
    for (const name of ADDED) merged[name] += frame[name];
    for (const name of COUNTED) {
      for (const word in frame[name]) merged[name][word] = (merged[name][word] ?? 0) + frame[name][word]!;
    }
    for (const cause in frame.waits) {
      const { count, totalMs } = merged.waits[cause] ?? { count: 0, totalMs: 0 };
      merged.waits[cause] = { count: count + frame.waits[cause]!.count, totalMs: totalMs + frame.waits[cause]!.totalMs };
    }
    for (const [bucket, count] of frame.latencies) latencies.set(bucket, (latencies.get(bucket) ?? 0) + count);
  }
  merged.latencies = [...latencies].sort(([one], [other]) => one - other);
  mergeConflicts(merged, frames);
  mergeRecords(merged, frames);
  mergeSamples(merged, frames);
  merged.turnSlices = mergedTurns(
    frames.flatMap((frame) => frame.turnSlices.map((turn) => moved(turn, last.monotonicMs - frame.monotonicMs))),
  );
  merged.epochSlices = mergedEpochs(
    frames.flatMap((frame) => frame.epochSlices.map((slice) => moved(slice, last.monotonicMs - frame.monotonicMs))),
  );
  return merged;
}

function mergeConflicts(merged: ShardTelemetry, frames: readonly ShardTelemetry[]): void {
  const rows = new Map<string, Conflict>();
  for (const row of frames.flatMap(({ conflicts }) => conflicts)) {
    const pair = JSON.stringify([row.holderLabel, row.comerLabel, row.holderOperation, row.comerOperation, row.outcome]);
    rows.set(pair, { ...row, count: row.count + (rows.get(pair)?.count ?? 0) });
  }
  const all = [...rows.values()].sort((one, other) => other.count - one.count);
  merged.conflicts = all.slice(0, CONFLICTS_MAX);
  for (const { count } of all.slice(CONFLICTS_MAX)) merged.conflictsLeftOut += count;
}

function mergeRecords(merged: ShardTelemetry, frames: readonly ShardTelemetry[]): void {
  const last = frames.at(-1)!;
  const records = new Map<string, HotRecord>();
  for (const frame of frames) {
    const later_ms = last.monotonicMs - frame.monotonicMs;
    for (const record of frame.hotRecords) {
      const before = records.get(record.key);
      const phases = [...(before?.phases ?? []), ...record.phases.map((phase) => moved(phase, later_ms))];
      // Those that stand are told again by the next frame that has the record.
      const ended = (before?.warranties ?? []).filter((warranty) => warranty.ended);
      records.set(record.key, {
        ...record,
        phase: record.phase && moved(record.phase, later_ms),
        phases,
        warranties: [...ended, ...record.warranties.map((warranty) => moved(warranty, later_ms))],
        operations: record.operations + (before?.operations ?? 0),
        conflicts: record.conflicts + (before?.conflicts ?? 0),
        waits: record.waits + (before?.waits ?? 0),
        waitMs: record.waitMs + (before?.waitMs ?? 0),
        natives: record.natives + (before?.natives ?? 0),
        nativeWaits: record.nativeWaits + (before?.nativeWaits ?? 0),
        nativeBreaks: record.nativeBreaks + (before?.nativeBreaks ?? 0),
      });
    }
  }
  const all = [...records.values()].sort((one, other) => other.heat - one.heat);
  merged.hotRecords = all.slice(0, HOT_RECORDS_MAX);
  for (const { phases, warranties } of all.slice(HOT_RECORDS_MAX)) {
    merged.phasesLeftOut += phases.length;
    merged.warrantiesLeftOut += warranties.filter(({ ended }) => ended).length;
  }
  for (const record of merged.hotRecords) {
    merged.phasesLeftOut += Math.max(0, record.phases.length - PHASES_MAX);
    record.phases = record.phases.slice(-PHASES_MAX);
    merged.warrantiesLeftOut += record.warranties.slice(0, -WARRANTIES_MAX).filter(({ ended }) => ended).length;
    record.warranties = record.warranties.slice(-WARRANTIES_MAX);
  }
}

const moved = <T extends EpochSlice | Phase | Turns | Warranty>(one: T, later_ms: number): T => ({ ...one, agoMs: one.agoMs + later_ms });

/** As many slices as there may be: those of one kind within a cell of time become one, and the cells grow until they find room. */
function inCells<T>(
  slices: readonly T[],
  max: number,
  cellMs: number,
  kindIn: (slice: T, cellMs: number) => string,
  together: (one: T, other: T) => T,
): T[] {
  let merged = [...slices];
  for (let cell_ms = cellMs; merged.length > max && cell_ms < 10_000; cell_ms *= 2) {
    const cells = new Map<string, T>();
    for (const slice of slices) {
      const kind = kindIn(slice, cell_ms);
      const before = cells.get(kind);
      cells.set(kind, before === undefined ? { ...slice } : together(before, slice));
    }
    merged = [...cells.values()];
  }
  return merged;
}

/** Slices of one session within a cell lie side by side then, so none overlaps. */
function mergedTurns(slices: readonly Turns[]): Turns[] {
  const kindIn = ({ agoMs, lengthMs, peer }: Turns, cellMs: number) => `${Math.floor((agoMs - lengthMs) / cellMs)} ${peer}`;
  const merged = inCells(slices, TURN_SLICES_MAX, TURN_CELL_MS, kindIn, together);
  if (merged.length === slices.length) return merged;
  let free_ago_ms = Infinity;
  for (const slice of merged) {
    slice.agoMs = Math.min(slice.agoMs, free_ago_ms);
    free_ago_ms = slice.agoMs - slice.lengthMs;
  }
  return merged;
}

const mergedEpochs = (slices: readonly EpochSlice[]): EpochSlice[] =>
  inCells(slices, EPOCH_SLICES_MAX, EPOCH_CELL_MS, ({ agoMs }, cellMs) => String(Math.floor(agoMs / cellMs)), epochsTogether);

const epochsTogether = (one: EpochSlice, other: EpochSlice): EpochSlice => ({
  manager: other.manager,
  agoMs: Math.max(one.agoMs, other.agoMs),
  gatherMs: Math.max(one.gatherMs, other.gatherMs),
  listMs: one.listMs + other.listMs,
  heldMs: one.heldMs + other.heldMs,
  turnMs: one.turnMs + other.turnMs,
  epochs: one.epochs + other.epochs,
  reads: one.reads + other.reads,
  writes: one.writes + other.writes,
  readOperations: one.readOperations + other.readOperations,
  writeOperations: one.writeOperations + other.writeOperations,
  cameBack: one.cameBack + other.cameBack,
  calledOff: one.calledOff + other.calledOff,
  late: [...new Set([...one.late, ...other.late])],
});

const together = (one: Turns, other: Turns): Turns => ({
  ...one,
  lengthMs: one.lengthMs + other.lengthMs,
  turns: one.turns + other.turns,
  waiting: Math.max(one.waiting, other.waiting),
  recalled: one.recalled + other.recalled,
  timedOut: one.timedOut + other.timedOut,
});

function mergeSamples(merged: ShardTelemetry, frames: readonly ShardTelemetry[]): void {
  const last = frames.at(-1)!;
  const all = frames.flatMap((frame) => frame.samples.map((sample) => sampleLater(sample, last.monotonicMs - frame.monotonicMs)));
  merged.samples = all.slice(-SAMPLES_MAX);
  merged.abortsLeftOut += all.slice(0, -SAMPLES_MAX).filter(({ outcome }) => outcome === 'aborted').length;
}

function sampleLater(sample: Sample, later_ms: number): Sample {
  const later = (agoMs: number | null) => (agoMs === null ? null : agoMs + later_ms);
  return {
    ...sample,
    begunAgoMs: sample.begunAgoMs + later_ms,
    votedAgoMs: later(sample.votedAgoMs),
    endedAgoMs: sample.endedAgoMs + later_ms,
    requests: sample.requests.map(({ agoMs, operations }) => ({ agoMs: later(agoMs), operations })),
  };
}
