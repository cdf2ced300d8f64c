// The metrics of durability: the log's kind and writes, checkpoints, the last start, trouble. Absent with durability none.
import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import type { LogTrouble } from '../log/log.ts';
import { addCountedHistogram } from './counted-histogram.ts';

const BOUNDS_S = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Durations and sizes of the log's synced writes. */
export class WriteTimes {
  readonly counts = new Array<number>(BOUNDS_S.length + 1).fill(0);
  seconds = 0;
  bytes = 0;

  readonly observe = (ms: number, bytes: number): void => {
    const seconds = ms / 1000;
    const bucket = BOUNDS_S.findIndex((bound) => seconds <= bound);
    this.counts[bucket < 0 ? BOUNDS_S.length : bucket]!++;
    this.seconds += seconds;
    this.bytes += bytes;
  };
}

export interface DurabilitySource {
  log: 'local' | 'jetstream';
  writes: WriteTimes;
  replayBytes: number;
  /** writes that are not durable yet */
  inFlight: number;
  checkpoints: { count: number; ageMs: number; lastBytes: number; lastMs: number };
  /** null: the log can be written */
  trouble: LogTrouble['kind'] | null;
  recovered: { milliseconds: number; recordsLoaded: number; entriesReplayed: number };
}

export function addDurability(registry: Registry, read: () => DurabilitySource): void {
  const level = (name: string, help: string, value: (source: DurabilitySource) => number) => {
    const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(value(read())) });
  };
  addCountedHistogram(registry, {
    name: 'claret_log_write_seconds',
    help: 'Writes of the log, synced under durability sync: a commit waits for one.',
    boundsS: BOUNDS_S,
    read: () => read().writes,
  });
  level('claret_log_written_bytes', 'Entries and checkpoint pairs written since the start.', ({ writes }) => writes.bytes);
  level('claret_log_replay_bytes', 'Entries that a restart would replay.', ({ replayBytes }) => replayBytes);
  level('claret_log_full', '1 while the disk is full: changes are refused until there is room.', ({ trouble }) =>
    Number(trouble === 'full'),
  );
  level(
    'claret_log_unavailable',
    '1 while the replicated log is unavailable: changes are refused until most of its servers are back.',
    ({ trouble }) => Number(trouble === 'unavailable'),
  );
  level('claret_log_in_flight', 'Writes of the log that have begun and are not durable yet.', ({ inFlight }) => inFlight);
  addKind(registry, read);
  level('claret_checkpoints', 'Checkpoints completed since the start.', ({ checkpoints }) => checkpoints.count);
  level(
    'claret_checkpoint_age_seconds',
    'Time since the last checkpoint was completed, or since the start.',
    ({ checkpoints }) => checkpoints.ageMs / 1000,
  );
  level('claret_checkpoint_bytes', 'What the last checkpoint wrote.', ({ checkpoints }) => checkpoints.lastBytes);
  level('claret_checkpoint_seconds', 'How long the last checkpoint took.', ({ checkpoints }) => checkpoints.lastMs / 1000);
  level('claret_restart_seconds', 'How long this start took to restore the shard.', ({ recovered }) => recovered.milliseconds / 1000);
  level('claret_restart_records', 'Records that this start took from the checkpoint.', ({ recovered }) => recovered.recordsLoaded);
  level('claret_restart_entries', 'Log entries that this start replayed.', ({ recovered }) => recovered.entriesReplayed);
}

function addKind(registry: Registry, read: () => DurabilitySource): void {
  const gauge: Gauge = new Gauge({
    name: 'claret_log_info',
    help: 'Always 1; the label says which kind of log the gateway has.',
    labelNames: ['kind'],
    registers: [registry],
    collect: () => gauge.set({ kind: read().log }, 1),
  });
}
