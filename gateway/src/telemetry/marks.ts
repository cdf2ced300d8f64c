// The recent changes of the cluster, as marks on the time axis: a bounded memory of the marks that this gateway made or heard of.
//
// A gateway that marks a spike, a note, its own take-over or a move that it drove tells the others. Changed conditions and restarted shards every gateway sees for
// itself.
import type { Environment } from '@claret/client';
import { accepts, change, type Change, type MarkMessage } from '@claret/client/telemetry';
import { GatewayError } from '../errors.ts';
import { shardEnvironment } from '../store/environment.ts';

export const MARKS_KEPT_MS = 600_000;
export const MARKS_MAX = 200;
export const NOTE_CHARACTERS_MAX = 80;

export interface KeptMark {
  /** in order of arrival, from 1 */
  number: number;
  mark: MarkMessage;
  /** the message's JSON text */
  text: string;
  /** by the steady clock */
  atMs: number;
  /** made here; the other gateways are to be told */
  own: boolean;
}

export class Marks {
  private readonly environment: Environment;
  /** No other gateway, and no earlier run of this one, makes ids with it. */
  private readonly prefix: string;
  private readonly kept: KeptMark[] = [];
  private number = 0;

  constructor(shard: number, incarnation: number, environment: Environment = shardEnvironment) {
    this.prefix = `${shard}-${incarnation}`;
    this.environment = environment;
  }

  /** Makes a mark of this moment. */
  add(what: Change): MarkMessage {
    const id = `${this.prefix}-${this.number + 1}`;
    const isNews = !('conditions' in what || 'shard_restarted' in what);
    return this.keep(id, what, this.environment.monotonicMs(), isNews);
  }

  /** Throws invalid_request where the text is not 1 to 80 printable characters. */
  note(text: string): MarkMessage {
    if (!isPrintable(text)) {
      throw new GatewayError('invalid_request', `text: 1 to ${NOTE_CHARACTERS_MAX} printable characters are taken.`);
    }
    return this.add({ note: text });
  }

  /** Takes another gateway's mark, unless it is known already or too old. `atMs`: on this gateway's steady clock. */
  hear(id: string, what: Change, atMs: number): void {
    if (this.kept.some(({ mark }) => mark.id === id)) return;
    if (this.environment.monotonicMs() - atMs < MARKS_KEPT_MS) this.keep(id, what, atMs, false);
  }

  /** The marks of the last ten minutes, oldest first. */
  recent(): MarkMessage[] {
    this.forget();
    return this.kept.map(({ mark }) => mark).sort((a, b) => a.at_ms - b.at_ms);
  }

  /** The number of the newest, for `after`. */
  get newest(): number {
    return this.number;
  }

  /** The marks of the last ten minutes with a greater number. */
  after(number: number): KeptMark[] {
    if (number === this.number) return [];
    this.forget();
    return this.kept.filter((kept) => kept.number > number);
  }

  private keep(id: string, what: Change, atMs: number, own: boolean): MarkMessage {
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

/** Reads a change from another gateway, which may be of another version. Null: the kind of change is unknown. */
export function readChange(json: string): Change | null {
  try {
    const what: unknown = JSON.parse(json);
    return accepts(change, what) ? what : null;
  } catch {
    return null;
  }
}

// Controls, lone surrogates, and characters that change the direction of text; the joiner within emoji is allowed.
const UNPRINTABLE = /(?!\u200d)[\p{C}\p{Zl}\p{Zp}]/u;

function isPrintable(text: string): boolean {
  return /[^\s\u200d]/.test(text) && [...text].length <= NOTE_CHARACTERS_MAX && !UNPRINTABLE.test(text);
}
