// The telemetry of another shard, over a stream from its gateway. The stream stays open while there are viewers, and is opened again
// with growing pauses when it breaks or falls silent.
import type { Environment, Timer } from '@claret/client';
import { shardEnvironment } from '../store/environment.ts';
import { REOPEN_AFTER_MS, REOPEN_AFTER_MS_MAX, STALLED_AFTER_MS } from './pace.ts';
import { PeerClock } from './peer-clock.ts';

/** One message of the stream. `atMs`: on the other gateway's steady clock. */
export interface PeerMessage {
  atMs: number;
  hello?: { incarnation: number; startedAtMs: number };
  /** ShardTelemetry as JSON text */
  frame?: string;
  /** `what`: as JSON text */
  mark?: { id: string; what: string };
  /** with a frame: MovingSlots as JSON text; empty: none */
  giving?: string;
}

export interface TelemetryStreamHandlers {
  onMessage(message: PeerMessage): void;
  /** The stream is gone; called once, never within the call that opens it. */
  onClose(): void;
}

/** Opens a stream from the other gateway, live or in the background; returns a function that ends it. */
export type OpenTelemetry = (handlers: TelemetryStreamHandlers, isLive: boolean) => () => void;

/** Times are on this gateway's steady clock. */
export interface PeerListener {
  onFrame(text: string, atMs: number, giving: string): void;
  onMark(id: string, what: string, atMs: number): void;
  /** the other gateway has restarted since its last message */
  onRestart(incarnation: number, atMs: number): void;
}

export class PeerTelemetry {
  private readonly open: OpenTelemetry;
  private readonly listener: PeerListener;
  private readonly environment: Environment;
  private endStream: (() => void) | undefined;
  private reopen: Timer | undefined;
  private stalled: Timer | undefined;
  private failures = 0;
  private clock = new PeerClock();
  private incarnation: number | undefined;
  private watching = false;
  private isLive = true;

  constructor(open: OpenTelemetry, listener: PeerListener, environment: Environment = shardEnvironment) {
    this.open = open;
    this.listener = listener;
    this.environment = environment;
  }

  /** A second call changes the pace. The old stream ends after the new one has been requested, so that the shard stays observed. */
  start(isLive = true): void {
    if (this.watching && this.isLive === isLive) return;
    this.isLive = isLive;
    if (this.watching) {
      const endOld = this.endStream;
      if (endOld === undefined) return; // the next stream will have that pace
      this.connect();
      return endOld();
    }
    this.watching = true;
    this.failures = 0;
    this.connect();
  }

  stop(): void {
    this.watching = false;
    this.environment.clearTimeout(this.reopen);
    this.drop();
  }

  private connect(): void {
    let current = true; // messages of a dropped stream are ignored
    const end = this.open(
      {
        onMessage: (message) => {
          if (current) this.take(message);
        },
        onClose: () => {
          if (current) this.lost();
        },
      },
      this.isLive,
    );
    this.endStream = () => {
      current = false;
      end();
    };
    this.expectMore();
  }

  private expectMore(): void {
    this.environment.clearTimeout(this.stalled);
    this.stalled = this.environment.setTimeout(() => this.lost(), STALLED_AFTER_MS);
  }

  private drop(): void {
    this.environment.clearTimeout(this.stalled);
    this.endStream?.();
    this.endStream = undefined;
  }

  private lost(): void {
    this.drop();
    const pauseMs = Math.min(REOPEN_AFTER_MS_MAX, REOPEN_AFTER_MS * 2 ** this.failures++);
    this.reopen = this.environment.setTimeout(() => this.connect(), pauseMs);
  }

  private take({ atMs, hello, frame, mark, giving = '' }: PeerMessage): void {
    this.expectMore();
    if (hello !== undefined) this.greet(hello);
    if (mark === undefined) this.clock.arrived(atMs, this.environment.monotonicMs());
    if (hello !== undefined) this.noteRestart(hello);
    if (mark !== undefined) this.listener.onMark(mark.id, mark.what, this.clock.toOwn(atMs));
    if (frame === undefined) return;
    this.failures = 0;
    this.listener.onFrame(frame, this.clock.toOwn(atMs), giving);
  }

  /** A new process has a new clock. */
  private greet({ incarnation }: { incarnation: number }): void {
    if (incarnation !== this.incarnation) this.clock = new PeerClock();
  }

  private noteRestart({ incarnation, startedAtMs }: { incarnation: number; startedAtMs: number }): void {
    const known = this.incarnation;
    this.incarnation = incarnation;
    if (known !== undefined && known !== incarnation) this.listener.onRestart(incarnation, this.clock.toOwn(startedAtMs));
  }
}
