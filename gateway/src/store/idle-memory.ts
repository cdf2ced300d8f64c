// Gives memory back to the system when the shard has little to do. What records and answers held is free for the shard's next use as soon as they are
// gone, but the process keeps it. Giving it back may hold the shard up for some milliseconds, so nobody should be waiting.

export interface IdleMemoryGround {
  /** time that the shard has worked so far */
  workMs: () => number;
  /** what the process holds */
  heldBytes: () => number;
  release: () => Promise<void>;
}

const LOOK_MS = 10_000;
/** A shard is idle if it works for less than this share of `LOOK_MS`. */
const IDLE_SHARE = 0.02;
/** It is worth it when the process holds so much more than after the last time. */
const WORTH_BYTES = 8 << 20;

export class IdleMemory {
  private readonly ground: IdleMemoryGround;
  private readonly lookMs: number;
  private timer: NodeJS.Timeout | undefined;
  private workedMs = 0;
  private leastBytes: number;

  constructor(ground: IdleMemoryGround, lookMs = LOOK_MS) {
    this.ground = ground;
    this.lookMs = lookMs;
    this.leastBytes = ground.heldBytes();
  }

  start(): void {
    this.timer = setInterval(() => void this.look(), this.lookMs).unref();
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    const { workMs, heldBytes, release } = this.ground;
    const worked = workMs() - this.workedMs;
    this.workedMs += worked;
    const held = heldBytes();
    this.leastBytes = Math.min(this.leastBytes, held);
    if (worked > IDLE_SHARE * this.lookMs || held - this.leastBytes < WORTH_BYTES) return;
    await release();
    this.leastBytes = heldBytes();
  }
}
