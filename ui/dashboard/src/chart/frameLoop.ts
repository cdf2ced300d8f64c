// FrameLoop: the page's one animation loop. In each frame first whoever moves something (the time axis), then every chart.
// It runs while there is a chart or a mover; a page that nobody sees has no frames.

type Step = (now_ms: number) => void;
/** Answers whether it has drawn. */
type Draw = (now_ms: number) => boolean;

export interface FrameClock {
  requestFrame(callback: Step): number;
  cancelFrame(handle: number): void;
}

export class FrameLoop {
  private readonly movers = new Set<Step>();
  private readonly charts = new Set<Draw>();
  private handle: number | null = null;
  private readonly clock: FrameClock;
  /** frames in which a chart has drawn */
  drawnFrames = 0;

  constructor(clock: FrameClock) {
    this.clock = clock;
  }

  /** `step` runs before anything is drawn, with the frame's time on the monotonic clock. Returns how to stop. */
  onFrame(step: Step): () => void {
    return this.join(this.movers, step);
  }

  /** `draw` looks whether there is something new, and draws it. Returns how to stop. */
  addChart(draw: Draw): () => void {
    return this.join(this.charts, draw);
  }

  private join<Member>(members: Set<Member>, member: Member): () => void {
    members.add(member);
    this.handle ??= this.clock.requestFrame(this.run);
    return () => {
      members.delete(member);
      if (this.movers.size + this.charts.size > 0 || this.handle === null) return;
      this.clock.cancelFrame(this.handle);
      this.handle = null;
    };
  }

  private readonly run = (now_ms: number): void => {
    this.handle = this.clock.requestFrame(this.run);
    for (const step of this.movers) step(now_ms);
    let hasDrawn = false;
    for (const draw of this.charts) hasDrawn = draw(now_ms) || hasDrawn;
    if (hasDrawn) this.drawnFrames += 1;
  };
}

export const frameLoop = new FrameLoop({
  requestFrame: (callback) => requestAnimationFrame(callback),
  cancelFrame: (handle) => cancelAnimationFrame(handle),
});
