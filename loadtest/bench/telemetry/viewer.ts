// Viewer: watches the cluster as a page does: reads the stream of one gateway and decodes every message.

import { TELEMETRY_VERSION } from '@claret/client/telemetry';
import type { FrameMessage, TelemetryMessage, WelcomeMessage } from '@claret/client/telemetry';

const FIRST_FRAME_WITHIN_MS = 5_000;

export interface Seen {
  frames: number;
  /** of the stream */
  bytes: number;
  /** transactions reported by the frames */
  commits: number;
  /** frames with a silent shard, and missed frames */
  faults: number;
}

export class Viewer {
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;
  #welcome: WelcomeMessage | null = null;
  #seen: Seen = { frames: 0, bytes: 0, commits: 0, faults: 0 };
  #failure: unknown = null;

  private constructor(rest: string) {
    this.#done = this.#read(rest).catch((error: unknown) => {
      if (!this.#stop.signal.aborted) this.#failure = error;
    });
  }

  /** Resolves when the first frame has arrived. @param rest the gateway's base URL */
  static async open(rest: string): Promise<Viewer> {
    const viewer = new Viewer(rest);
    const latestMs = performance.now() + FIRST_FRAME_WITHIN_MS;
    while (viewer.#seen.frames === 0) {
      if (viewer.#failure !== null) throw viewer.#failure;
      if (performance.now() > latestMs) throw new Error(`${rest} sends its viewer nothing`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return viewer;
  }

  get framesPerSecond(): number {
    return this.#welcome!.frames_per_second;
  }

  /** Totals since the last call. Throws if the stream has ended. */
  take(): Seen {
    if (this.#failure !== null) throw this.#failure;
    const seen = this.#seen;
    this.#seen = { frames: 0, bytes: 0, commits: 0, faults: 0 };
    return seen;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  async #read(rest: string): Promise<void> {
    const answer = await fetch(`${rest}/v1/telemetry/stream`, { signal: this.#stop.signal, headers: { accept: 'text/event-stream' } });
    if (!answer.ok || answer.body === null) throw new Error(`${rest} answered its viewer ${answer.status}`);
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of answer.body) {
      this.#seen.bytes += chunk.byteLength;
      text += decoder.decode(chunk, { stream: true });
      const events = text.split('\n\n');
      text = events.pop()!;
      for (const event of events) this.#take(event);
    }
    throw new Error(`${rest} has ended its viewer's stream`);
  }

  #take(event: string): void {
    const data = event.split('\n').find((line) => line.startsWith('data: '));
    if (data === undefined) return;
    const message = JSON.parse(data.slice('data: '.length)) as TelemetryMessage;
    if (message.kind === 'welcome') {
      if (message.version !== TELEMETRY_VERSION) throw new Error(`messages of version ${message.version}, not ${TELEMETRY_VERSION}`);
      this.#welcome = message;
    } else if (message.kind === 'frame') {
      this.#frame(message);
    }
  }

  #frame({ shards, silent, missed }: FrameMessage): void {
    this.#seen.frames++;
    this.#seen.faults += missed + (silent.length > 0 ? 1 : 0);
    for (const { telemetry } of shards) this.#seen.commits += telemetry.homeCommits;
  }
}
