// The recent past of the whole cluster, one frame a second, with which a page opens. It is bounded in time and in bytes; the oldest
// frames are dropped first. Without viewers, shards report once a second and their frames are kept unchanged; with viewers, the
// frames of a second are merged. The history is read as a recording (JSON lines), which the dashboard opens like a file.
import type { Conditions, MarkMessage, Replication, ShardTelemetry, Slots, WelcomeMessage } from '@claret/client/telemetry';
import { frameHead, frameRest } from './frame-text.ts';
import type { ShardReport } from './frame-text.ts';
import { mergeTelemetry } from './merge.ts';
import { BACKGROUND_EVERY_MS } from './pace.ts';

export const HISTORY_BYTES_MAX = 24 * 1024 * 1024;
/** The version of the file format, as in ui/dashboard/src/feed/recording.ts. */
const RECORDING_VERSION = 1;

interface KeptFrame {
  at_ms: number;
  /** at that time */
  conditions: Conditions;
  line: Buffer;
}

export interface HistoryOptions {
  /** the time that is kept; 0: nothing is kept */
  length_ms: number;
  bytes_max?: number;
  conditions(): Conditions;
}

export class History {
  private readonly options: HistoryOptions;
  private readonly bytes_max: number;
  private kept: KeptFrame[] = [];
  private bytes = 0;
  private number = 0;
  /** of the current second */
  private pending: ShardReport[] = [];
  private newest_ms = 0;
  private replication: Replication | undefined;
  private slots: Slots = { shards: [], moves: [] };

  constructor(options: HistoryOptions) {
    this.options = options;
    this.bytes_max = options.bytes_max ?? HISTORY_BYTES_MAX;
  }

  get isKept(): boolean {
    return this.options.length_ms > 0;
  }

  take(at_ms: number, reports: readonly ShardReport[], slots: Slots, replication?: Replication): void {
    if (!this.isKept) return;
    if (Math.floor(at_ms / BACKGROUND_EVERY_MS) !== Math.floor(this.newest_ms / BACKGROUND_EVERY_MS)) this.flush();
    this.pending.push(...reports);
    this.newest_ms = at_ms;
    this.slots = slots;
    this.replication = replication;
  }

  /** Makes a frame of the pending reports, so that a viewer that attaches now does not see them twice. */
  flush(): void {
    if (this.pending.length === 0) return;
    const at_ms = this.newest_ms;
    const texts = this.shardTexts(this.pending.splice(0));
    const { replication, slots } = this;
    const silent = slots.shards.map(({ shard }) => shard).filter((shard) => !texts.has(shard));
    const rest = frameRest({ at_ms, reports: [...texts.values()], silent, replication, slots });
    const line = Buffer.from(`${frameHead(++this.number, 0)}${rest}\n`);
    this.kept.push({ at_ms, conditions: this.options.conditions(), line });
    this.bytes += line.length;
    this.forget(at_ms - this.options.length_ms);
  }

  /**
   * A recording, line by line: a header, a welcome, then frames and marks in order of their times. Only frames after `since_ms` are
   * included. Later reports are not.
   */
  *lines(welcome: WelcomeMessage, since_ms = 0): Generator<Buffer> {
    const frames = this.kept.filter(({ at_ms }) => at_ms > since_ms);
    const [first] = frames;
    yield line({ recording: RECORDING_VERSION, made_at_ms: welcome.at_ms, name: 'Claret' });
    yield line({ ...welcome, at_ms: first?.at_ms ?? welcome.at_ms, conditions: first?.conditions ?? welcome.conditions, marks: [] });
    const marks: MarkMessage[] = [...welcome.marks];
    for (const frame of frames) {
      while (marks.length > 0 && marks[0]!.at_ms <= frame.at_ms) yield line(marks.shift()!);
      yield frame.line;
    }
    for (const mark of marks) yield line(mark);
  }

  /** One merged report for each shard. */
  private shardTexts(pending: readonly ShardReport[]): Map<number, ShardReport> {
    const byShard = new Map<number, ShardReport[]>();
    for (const report of pending) byShard.set(report.shard, [...(byShard.get(report.shard) ?? []), report]);
    const merged = new Map<number, ShardReport>();
    for (const [shard, reports] of byShard) {
      const last = reports.at(-1)!;
      const text =
        reports.length === 1 ? last.text : JSON.stringify(mergeTelemetry(reports.map((one) => JSON.parse(one.text) as ShardTelemetry)));
      merged.set(shard, { ...last, text });
    }
    return merged;
  }

  private forget(oldest_ms: number): void {
    let gone = 0;
    while (gone < this.kept.length - 1 && (this.kept[gone]!.at_ms < oldest_ms || this.bytes > this.bytes_max)) {
      this.bytes -= this.kept[gone++]!.line.length;
    }
    if (gone > 0) this.kept = this.kept.slice(gone);
  }
}

const line = (message: object): Buffer => Buffer.from(`${JSON.stringify(message)}\n`);
