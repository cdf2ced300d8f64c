// What the own shard tells: while anybody listens the core is observed, and its frame is taken a few times a second, once
// for all listeners; while all listen in the background, once a second. The text goes on as it is.
import type { Environment } from '@claret/client';
import { shardEnvironment } from '../store/environment.ts';
import { BACKGROUND_EVERY_MS, FRAMES_PER_SECOND, FRAME_EVERY_MS } from './pace.ts';
import { Ticker } from './ticker.ts';

/** What of the shard host this needs. */
export interface ObservedShard {
  observe(on: boolean): void;
  /** a TelemetryFrame as JSON text; null while not observed */
  takeTelemetry(): string | null;
}

export interface ShardFrame {
  /** on the teller's steady clock */
  atMs: number;
  /** ShardTelemetry as JSON text */
  text: string;
}

type Listener = (frame: ShardFrame) => void;

export class ShardTelemetry {
  readonly incarnation: number;
  /** when this was made, on the steady clock */
  readonly startedMs: number;
  private readonly shard: ObservedShard;
  private readonly environment: Environment;
  private readonly ticker: Ticker;
  private takenMs = 0;
  /** whether each is live */
  private readonly listeners = new Map<Listener, boolean>();

  constructor(shard: ObservedShard, incarnation: number, environment: Environment = shardEnvironment) {
    this.shard = shard;
    this.incarnation = incarnation;
    this.environment = environment;
    this.startedMs = environment.monotonicMs();
    this.ticker = new Ticker({ periodMs: FRAME_EVERY_MS, offsetMs: 0 }, environment, () => this.take());
  }

  /** the steady clock */
  nowMs(): number {
    return this.environment.monotonicMs();
  }

  get listenerCount(): number {
    return this.listeners.size;
  }

  /**
   * Returns what ends it. `isLive`: frames are taken several times a second; else, while all listen in the background, once a
   * second. Each hears of every frame.
   */
  listen(listener: Listener, isLive = true): () => void {
    const own: Listener = (frame) => listener(frame); // the same function may listen twice
    if (this.listeners.size === 0) this.shard.observe(true);
    this.listeners.set(own, isLive);
    this.ticker.start();
    return () => {
      if (this.listeners.delete(own) && this.listeners.size === 0) this.stop();
    };
  }

  close(): void {
    this.listeners.clear();
    this.stop();
  }

  private stop(): void {
    if (!this.ticker.running) return;
    this.ticker.stop();
    this.shard.observe(false);
  }

  private take(): void {
    const atMs = this.environment.monotonicMs();
    const isWholeSecond = Math.round(this.environment.wallMs() / FRAME_EVERY_MS) % FRAMES_PER_SECOND === 0;
    // A tick that came late may have missed it.
    const isDue = isWholeSecond || atMs - this.takenMs >= BACKGROUND_EVERY_MS;
    if (!isDue && ![...this.listeners.values()].includes(true)) return;
    this.takenMs = atMs;
    const text = this.shard.takeTelemetry();
    if (text === null) return;
    for (const listener of this.listeners.keys()) listener({ atMs, text });
  }
}
