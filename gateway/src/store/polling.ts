// Polling: waking a sleeping event loop costs more than processing a frame, so after a frame the loop stays awake for a while. After a series of
// polls without a frame, polling pauses until frames arrive close together again. (As server-core/src/addon/polling.h.)

/** polls in a row without a frame */
const USELESS_MAX = 16;

export class Polling {
  private readonly pollMs: number;
  private untilMs = 0;
  private lastMs = 0;
  private useless = 0;

  constructor(pollMs: number) {
    this.pollMs = pollMs;
  }

  /** A frame has come. */
  came(nowMs: number): void {
    if (nowMs - this.lastMs < 2 * this.pollMs) this.useless = 0;
    this.lastMs = nowMs;
    this.untilMs = this.useless < USELESS_MAX ? nowMs + this.pollMs : 0;
  }

  isAwake(nowMs: number): boolean {
    return nowMs < this.untilMs;
  }

  /** The loop goes to sleep. */
  stop(): void {
    if (this.untilMs > 0) this.useless++;
    this.untilMs = 0;
  }
}
