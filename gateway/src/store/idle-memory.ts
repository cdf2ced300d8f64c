// Returns free memory to the system when the shard is idle. The allocator reuses the memory of removed records and answers, but does not
// return it by itself. Returning it may block the shard for some milliseconds, so it is done only when there is little load.

export interface IdleMemoryDependencies {
  /** total time that the shard has worked */
  workMs: () => number;
  /** resident memory of the process */
  heldBytes: () => number;
  release: () => Promise<void>;
}

const LOOK_MS = 10_000;
/** A shard is idle if it works for less than this share of `LOOK_MS`. */
const IDLE_SHARE = 0.02;
/** memory is released when the process has grown by this much since the last release */
const WORTH_BYTES = 8 << 20;

export class IdleMemory {
  private readonly dependencies: IdleMemoryDependencies;
  private readonly lookMs: number;
  private timer: NodeJS.Timeout | undefined;
  private workedMs = 0;
  private leastBytes: number;

  constructor(dependencies: IdleMemoryDependencies, lookMs = LOOK_MS) {
    this.dependencies = dependencies;
    this.lookMs = lookMs;
    this.leastBytes = dependencies.heldBytes();
  }

  start(): void {
    this.timer = setInterval(() => void this.look(), this.lookMs).unref();
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    const { workMs, heldBytes, release } = this.dependencies;
    const worked = workMs() - this.workedMs;
    this.workedMs += worked;
    const held = heldBytes();
    this.leastBytes = Math.min(this.leastBytes, held);
    if (worked > IDLE_SHARE * this.lookMs || held - this.leastBytes < WORTH_BYTES) return;
    await release();
    this.leastBytes = heldBytes();
  }
}
