// AnimationLoop: one for the page. In each animation frame all movers (the time axis) run first, then every chart. It runs while a
// chart or a mover is registered; a hidden page gets no frames.

type Step = (now_ms: number) => void;
/** Returns whether it has drawn. */
type Draw = (now_ms: number) => boolean;

export interface FrameClock {
  requestFrame(callback: Step): number;
  cancelFrame(handle: number): void;
}

export class AnimationLoop {
  private readonly movers = new Set<Step>();
  private readonly charts = new Set<Draw>();
  private handle: number | null = null;
  private readonly clock: FrameClock;
  /** frames in which at least one chart has drawn */
  drawnFrames = 0;

  constructor(clock: FrameClock) {
    this.clock = clock;
  }

  /** `step` runs before anything is drawn, with the frame's time on the monotonic clock. Returns a function that unregisters it. */
  onFrame(step: Step): () => void {
    return this.join(this.movers, step);
  }

  /** `draw` redraws if there is something new. Returns a function that unregisters it. */
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

export const animationLoop = new AnimationLoop({
  requestFrame: (callback) => requestAnimationFrame(callback),
  cancelFrame: (handle) => cancelAnimationFrame(handle),
});
