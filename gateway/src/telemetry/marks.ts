// What was done to the cluster lately, as flags for the time axis: a bounded memory of what this gateway made or heard of.
//
// Spikes and notes are for the other gateways to hear of, from the one that made the mark. Changed conditions and restarted
// shards each sees for itself.
import type { Environment } from '@claret/client';
import Value from 'typebox/value';
import type { MarkMessage } from '@claret/ui/telemetry';
import { GatewayError } from '../errors.ts';
import { MarkSchema } from '../rest/telemetry-schemas.ts';
import { shardEnvironment } from '../store/environment.ts';

export const MARKS_KEPT_MS = 600_000;
export const MARKS_MAX = 200;
export const NOTE_CHARACTERS_MAX = 80;

export type What = MarkMessage['what'];

export interface KeptMark {
  /** in order of arrival, from 1 */
  number: number;
  mark: MarkMessage;
  /** as a message is sent */
  text: string;
  /** by the steady clock */
  atMs: number;
  /** made here, and for the other gateways to hear of */
  own: boolean;
}

export class Marks {
  private readonly environment: Environment;
  /** no other gateway, nor this one before, makes marks of these ids */
  private readonly prefix: string;
  private readonly kept: KeptMark[] = [];
  private number = 0;

  constructor(shard: number, incarnation: number, environment: Environment = shardEnvironment) {
    this.prefix = `${shard}-${incarnation}`;
    this.environment = environment;
  }

  /** Made here and now. */
  add(what: What): MarkMessage {
    const id = `${this.prefix}-${this.number + 1}`;
    return this.keep(id, what, this.environment.monotonicMs(), 'spike' in what || 'note' in what);
  }

  /** Throws invalid_request where the text is not 1 to 80 printable characters. */
  note(text: string): MarkMessage {
    if (!isPrintable(text)) {
      throw new GatewayError('invalid_request', `text: 1 to ${NOTE_CHARACTERS_MAX} printable characters are taken.`);
    }
    return this.add({ note: text });
  }

  /** Heard of, with the time on the own steady clock. One that is known, or too old, is not taken again. */
  hear(id: string, what: What, atMs: number): void {
    if (this.kept.some(({ mark }) => mark.id === id)) return;
    if (this.environment.monotonicMs() - atMs < MARKS_KEPT_MS) this.keep(id, what, atMs, false);
  }

  /** Of the last ten minutes, oldest first. */
  recent(): MarkMessage[] {
    this.forget();
    return this.kept.map(({ mark }) => mark).sort((a, b) => a.at_ms - b.at_ms);
  }

  /** The number of the newest, for `after`. */
  get newest(): number {
    return this.number;
  }

  /** Those of the last ten minutes that came after that number. */
  after(number: number): KeptMark[] {
    if (number === this.number) return [];
    this.forget();
    return this.kept.filter((kept) => kept.number > number);
  }

  private keep(id: string, what: What, atMs: number, own: boolean): MarkMessage {
    const agoMs = Math.max(0, this.environment.monotonicMs() - atMs);
    const mark: MarkMessage = { kind: 'mark', id, at_ms: this.environment.wallMs() - agoMs, what };
    this.kept.push({ number: ++this.number, mark, text: JSON.stringify(mark), atMs, own });
    if (this.kept.length > MARKS_MAX) this.kept.shift();
    return mark;
  }

  private forget(): void {
    const nowMs = this.environment.monotonicMs();
    const fresh = this.kept.filter(({ atMs }) => nowMs - atMs < MARKS_KEPT_MS);
    this.kept.splice(0, this.kept.length, ...fresh);
  }
}

/** From another gateway, which may be of another version. Null: not of a kind that is known. */
export function readWhat(json: string): What | null {
  try {
    const what: unknown = JSON.parse(json);
    return Value.Check(MarkSchema.properties.what, what) ? what : null;
  } catch {
    return null;
  }
}

// Controls, half characters, and what turns the direction of a text; the joiner within emoji is none of these.
const UNPRINTABLE = /(?!\u200d)[\p{C}\p{Zl}\p{Zp}]/u;

function isPrintable(text: string): boolean {
  return /[^\s\u200d]/.test(text) && [...text].length <= NOTE_CHARACTERS_MAX && !UNPRINTABLE.test(text);
}
