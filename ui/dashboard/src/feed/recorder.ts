// The last minutes of the feed as received, ready to be saved: a bounded buffer of encoded messages. State from before the oldest
// message is folded into a welcome, so that a recording begins with the state at that time.
//
// Invariants: bytes <= BYTES_MAX, except for the newest message; no message is older than HISTORY_MS before the newest.
import type { TelemetryMessage, WelcomeMessage } from '@claret/client/telemetry';
import { HISTORY_MS } from '../store/span.ts';

const BYTES_MAX = 48 * 1_024 * 1_024;

interface Kept {
  message: Pick<TelemetryMessage, 'at_ms'>;
  /** for a welcome, or a mark that changes the conditions: how dropping this message changes the recording's first welcome */
  begin: ((base: WelcomeMessage | null) => WelcomeMessage | null) | null;
  data: Uint8Array;
}

export class Recorder {
  private readonly encoder = new TextEncoder();
  private readonly bytes_max: number;
  private kept: (Kept | undefined)[] = [];
  private first = 0;
  private byteCount = 0;
  private base: WelcomeMessage | null = null;

  constructor(bytes_max = BYTES_MAX) {
    this.bytes_max = bytes_max;
  }

  get bytes(): number {
    return this.byteCount;
  }

  /** There is nothing to save. */
  get isEmpty(): boolean {
    return this.first === this.kept.length;
  }

  take(message: TelemetryMessage, data: string): void {
    const bytes = this.encoder.encode(data);
    this.kept.push({ message: { at_ms: message.at_ms }, begin: beginOf(message), data: bytes });
    this.byteCount += bytes.length;
    while (this.first < this.kept.length - 1 && this.isTooMuch(message.at_ms - HISTORY_MS)) this.dropOldest();
    if (this.first > 4_096) {
      this.kept = this.kept.slice(this.first);
      this.first = 0;
    }
  }

  /** A welcome first, then each message as received. */
  messages(): Uint8Array[] {
    const messages = this.kept.slice(this.first).map((kept) => kept!.data);
    return this.base === null ? messages : [this.encoder.encode(JSON.stringify(this.base)), ...messages];
  }

  private isTooMuch(oldest_ms: number): boolean {
    return this.byteCount > this.bytes_max || this.kept[this.first]!.message.at_ms < oldest_ms;
  }

  private dropOldest(): void {
    const { begin, data } = this.kept[this.first]!;
    this.kept[this.first] = undefined;
    this.first += 1;
    this.byteCount -= data.length;
    if (begin !== null) this.base = begin(this.base);
  }
}

function beginOf(message: TelemetryMessage): Kept['begin'] {
  if (message.kind === 'welcome') return () => message;
  if (message.kind !== 'mark') return null;
  return (base) => {
    if (base === null) return null;
    const conditions = 'conditions' in message.what ? message.what.conditions : base.conditions;
    return { ...base, conditions, marks: [...base.marks, message].slice(-200) };
  };
}
