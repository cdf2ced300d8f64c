// Marks that are too close together for flags of their own share one. Two have room below each other. Whether two are depends on the time between them and on the scale alone, so
// that flags do not part and join while the axis moves.
import type { Mark } from '../store/telemetryStore.ts';

/** Closer poles, in CSS pixels, share a flag. */
const TOO_CLOSE_PX = 16;
const LEAST = 3;

/** `marks`: in order of time. */
export function clusterMarks(marks: readonly Mark[], ms_per_px: number): Mark[][] {
  const clusters: Mark[][] = [];
  for (const mark of marks) {
    const last = clusters.at(-1);
    if (last !== undefined && mark.at_ms - last.at(-1)!.at_ms < TOO_CLOSE_PX * ms_per_px) last.push(mark);
    else clusters.push([mark]);
  }
  return clusters.flatMap((cluster) => (cluster.length < LEAST ? cluster.map((mark) => [mark]) : [cluster]));
}

/** "3 switches", "5 changes" */
export function clusterWords(marks: readonly Mark[]): string {
  const areSwitches = marks.every(({ what }) => 'conditions' in what);
  return `${marks.length} ${areSwitches ? 'switches' : 'changes'}`;
}
