// Runs work at the same instants in every gateway: whenever the wall clock passes a multiple of a period. Thus the frames of all
// shards cover the same intervals, and a gateway that merges them has all of them a moment later.
import type { Environment, Timer } from '@claret/client';

export interface Ticks {
  periodMs: number;
  /** after the multiples of the period */
  offsetMs: number;
}

export class Ticker {
  private readonly ticks: Ticks;
  private readonly work: () => void;
  private readonly environment: Environment;
  private timer: Timer | undefined;

  constructor(ticks: Ticks, environment: Environment, work: () => void) {
    this.ticks = ticks;
    this.environment = environment;
    this.work = work;
  }

  get running(): boolean {
    return this.timer !== undefined;
  }

  start(): void {
    if (!this.running) this.schedule();
  }

  stop(): void {
    this.environment.clearTimeout(this.timer);
    this.timer = undefined;
  }

  private schedule(): void {
    const { periodMs, offsetMs } = this.ticks;
    const sinceMs = this.environment.wallMs() - offsetMs;
    // A timer that fired early must not fire again for the same instant, hence the quarter of a period.
    const next = Math.floor(sinceMs / periodMs + 0.25) + 1;
    this.timer = this.environment.setTimeout(this.tick, next * periodMs - sinceMs);
  }

  private readonly tick = (): void => {
    this.schedule(); // first: `work` may stop it
    this.work();
  };
}
