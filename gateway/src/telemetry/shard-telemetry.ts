// The telemetry of this gateway's shard. While there are listeners the core is observed, and one frame is taken for all of them
// several times a second, or once a second while all of them listen in the background. The JSON text is passed on unchanged.
import type { Environment } from '@claret/client';
import type { MovingSlots } from '@claret/client/telemetry';
import { shardEnvironment } from '../store/environment.ts';
import type { ShardHost } from '../store/shard-host.ts';
import { BACKGROUND_EVERY_MS, FRAMES_PER_SECOND, FRAME_EVERY_MS } from './pace.ts';
import { Ticker } from './ticker.ts';

type ObservedShard = Pick<ShardHost, 'observe' | 'takeTelemetry'>;

export interface ShardFrame {
  /** on the steady clock of the shard's gateway */
  atMs: number;
  /** ShardTelemetry as JSON text */
  text: string;
  /** MovingSlots as JSON text; empty: the shard gives no slots away */
  giving: string;
}

type Listener = (frame: ShardFrame) => void;

export class ShardTelemetry {
  readonly incarnation: number;
  /** the time of construction on the steady clock */
  readonly startedMs: number;
  /** the move in which the shard gives slots away */
  giving: () => MovingSlots | null = () => null;
  private readonly shard: ObservedShard;
  private readonly environment: Environment;
  private readonly ticker: Ticker;
  private takenMs = 0;
  /** listener → whether it listens live */
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
   * Returns a function that ends the subscription. `isLive`: frames are taken several times a second, for all listeners; while no
   * listener is live, once a second.
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
    // A late tick may have missed the whole second.
    const isDue = isWholeSecond || atMs - this.takenMs >= BACKGROUND_EVERY_MS;
    if (!isDue && ![...this.listeners.values()].includes(true)) return;
    this.takenMs = atMs;
    const text = this.shard.takeTelemetry();
    if (text === null) return;
    const move = this.giving();
    const giving = move === null ? '' : JSON.stringify(move);
    for (const listener of this.listeners.keys()) listener({ atMs, text, giving });
  }
}
