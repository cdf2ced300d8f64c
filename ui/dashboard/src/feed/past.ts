// The history before the stream: a page that opens, or that has lost its connection, requests the part of the last ten minutes that
// it is missing, and takes it first. Meanwhile streamed messages are held back, so that the store receives everything in order.
//
// If the cluster keeps no history, or nothing arrives for PATIENCE_MS, the held messages are passed on without it, or after the part
// that has arrived.
//
// The history is taken in one task, once it has arrived: at most a second's work. The page draws itself anew between any two tasks that
// change the store. On a busy machine that takes longer than the tasks, and a page that took its history piece by piece would show old
// data for many seconds.
import type { TelemetryMessage, WelcomeMessage } from '@claret/client/telemetry';
import { decode } from '@claret/client/telemetry';
import type { LiveFeedWorld } from './liveFeed.ts';

export const HISTORY_PATH = '/v1/telemetry/history';
const PATIENCE_MS = 5_000;
/** The first history frame may overlap the known telemetry by at most this: a longer overlap would count twice. */
const OVERLAP_MS_MAX = 250;

export type PastWorld = Pick<LiveFeedWorld, 'fetch' | 'setTimeout' | 'clearTimeout'>;

/** `isPast`: the message is from the cluster's history. */
type Listener = (message: TelemetryMessage, data: string, isPast: boolean) => void;

export class Past {
  private readonly world: PastWorld;
  private readonly newest_ms: () => number | null;
  private readonly listener: Listener;
  /** streamed messages held back; null: no history is being loaded */
  private held: { message: TelemetryMessage; data: string }[] | null = null;
  private asking: AbortController | null = null;

  /** `newest_ms`: the time up to which the store is complete; null: the store is empty. */
  constructor(world: PastWorld, newest_ms: () => number | null, listener: Listener) {
    this.world = world;
    this.newest_ms = newest_ms;
    this.listener = listener;
  }

  take(message: TelemetryMessage, data: string): void {
    if (message.kind === 'welcome') void this.ask(message);
    if (this.held === null) this.listener(message, data, false);
    else this.held.push({ message, data });
  }

  /** Stops; the listener is not called any more. */
  end(): void {
    this.asking?.abort();
    this.asking = null;
    this.held = null;
  }

  private async ask(welcome: WelcomeMessage): Promise<void> {
    this.asking?.abort();
    const asking = (this.asking = new AbortController());
    this.held ??= [];
    const since_ms = this.newest_ms();
    const lines: string[] = [];
    await this.readInto(lines, since_ms, asking).catch(() => {}); // the part that has arrived is enough
    if (this.asking !== asking) return;
    this.hearHistory(lines, since_ms, welcome.at_ms);
    this.asking = null;
    const held = this.held ?? [];
    this.held = null;
    for (const { message, data } of held) this.listener(message, data, false);
  }

  /** Adds the lines of the history after `since_ms`. Rejects if the cluster does not send them; those that have arrived are added. */
  private async readInto(lines: string[], since_ms: number | null, asking: AbortController): Promise<void> {
    let timer = 0;
    const patient = <Result>(step: Promise<Result>): Promise<Result> => {
      this.world.clearTimeout(timer);
      timer = this.world.setTimeout(() => asking.abort(), PATIENCE_MS);
      return Promise.race([step, aborted(asking.signal)]);
    };
    try {
      const url = since_ms === null ? HISTORY_PATH : `${HISTORY_PATH}?since_ms=${Math.floor(since_ms)}`;
      const response = await patient(this.world.fetch(url, { headers: {}, signal: asking.signal }));
      if (!response.ok || response.body === null) return;
      const reader = response.body.pipeThrough(new DecompressionStream('gzip')).pipeThrough(new TextDecoderStream()).getReader();
      let rest = '';
      for (let read = await patient(reader.read()); !read.done; read = await patient(reader.read())) {
        const arrived = (rest + read.value).split('\n');
        rest = arrived.pop()!;
        for (const line of arrived) lines.push(line);
      }
    } finally {
      this.world.clearTimeout(timer);
    }
  }

  /** The first line, the header of a recording, is no message. */
  private hearHistory(lines: readonly string[], since_ms: number | null, welcomed_ms: number): void {
    for (const data of lines) {
      const decoded = decode(data);
      if ('message' in decoded && isBetween(decoded.message, since_ms, welcomed_ms)) this.listener(decoded.message, data, true);
    }
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true }));
}

/** Messages after the welcome arrive by the stream. A store that already has a beginning needs no second welcome. */
function isBetween(message: TelemetryMessage, since_ms: number | null, welcomed_ms: number): boolean {
  if (message.kind === 'welcome') return since_ms === null;
  if (message.at_ms > welcomed_ms) return false;
  if (message.kind === 'mark' || since_ms === null) return true;
  const elapsed_ms = Math.max(0, ...message.shards.map(({ telemetry }) => telemetry.elapsedMs));
  return message.at_ms - elapsed_ms >= since_ms - OVERLAP_MS_MAX;
}
