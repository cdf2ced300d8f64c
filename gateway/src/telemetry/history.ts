// The past that a page opens with: the last minutes of the whole cluster, a frame for each second. Bounded in time and in bytes;
// the oldest goes first. While nobody views, shards tell once a second, and what they tell is kept as it is; while somebody
// does, the frames of a second become one. It is read as a recording: gzip of JSON lines, which the dashboard opens like a file.
import type { Conditions, MarkMessage, ShardTelemetry, WelcomeMessage } from '@claret/ui/telemetry';
import { mergeTelemetry } from '@claret/ui/telemetry/merge';
import { BACKGROUND_EVERY_MS } from './pace.ts';

export const HISTORY_BYTES_MAX = 24 * 1024 * 1024;
/** Of the file, as in ui/dashboard/src/feed/recording.ts. */
const RECORDING_VERSION = 1;

/** What a shard told, on the axis of this gateway's wall clock. */
export interface Told {
  shard: number;
  at_ms: number;
  /** ShardTelemetry as JSON text */
  text: string;
}

interface KeptFrame {
  at_ms: number;
  /** as they were then */
  conditions: Conditions;
  line: Buffer;
}

export interface HistoryParts {
  /** how far back it goes; 0: nothing is kept */
  length_ms: number;
  bytes_max?: number;
  shards: number;
  conditions(): Conditions;
}

export class History {
  private readonly parts: HistoryParts;
  private readonly bytes_max: number;
  private kept: KeptFrame[] = [];
  private bytes = 0;
  private number = 0;
  /** of the second that goes on */
  private pending: Told[] = [];
  private newest_ms = 0;

  constructor(parts: HistoryParts) {
    this.parts = parts;
    this.bytes_max = parts.bytes_max ?? HISTORY_BYTES_MAX;
  }

  get isKept(): boolean {
    return this.parts.length_ms > 0;
  }

  take(at_ms: number, told: readonly Told[]): void {
    if (!this.isKept) return;
    if (Math.floor(at_ms / BACKGROUND_EVERY_MS) !== Math.floor(this.newest_ms / BACKGROUND_EVERY_MS)) this.flush();
    this.pending.push(...told);
    this.newest_ms = at_ms;
  }

  /** What was told so far becomes a frame: one that begins now to listen does not hear of it. */
  flush(): void {
    if (this.pending.length === 0) return;
    const at_ms = this.newest_ms;
    const texts = this.shardTexts(this.pending.splice(0));
    const shards = [...texts].map(([shard, { at_ms: told_ms, text }]) => `{"shard":${shard},"at_ms":${told_ms},"telemetry":${text}}`);
    const silent = Array.from({ length: this.parts.shards }, (_, shard) => shard).filter((shard) => !texts.has(shard));
    const line = Buffer.from(
      `{"kind":"frame","number":${++this.number},"missed":0,"at_ms":${at_ms},"shards":[${shards.join(',')}],"silent":[${silent.join(',')}]}\n`,
    );
    this.kept.push({ at_ms, conditions: this.parts.conditions(), line });
    this.bytes += line.length;
    this.forget(at_ms - this.parts.length_ms);
  }

  /**
   * A recording, in pieces: a header, a welcome, then frames and marks in order of their times. `since_ms`: frames that are
   * younger. It does not hold what is told from now on.
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

  /** By shard. */
  private shardTexts(pending: readonly Told[]): Map<number, Told> {
    const byShard = new Map<number, Told[]>();
    for (const told of pending) byShard.set(told.shard, [...(byShard.get(told.shard) ?? []), told]);
    const merged = new Map<number, Told>();
    for (const [shard, told] of byShard) {
      const last = told.at(-1)!;
      const text =
        told.length === 1 ? last.text : JSON.stringify(mergeTelemetry(told.map((one) => JSON.parse(one.text) as ShardTelemetry)));
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
