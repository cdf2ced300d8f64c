// Overlays of every chart: thin lines where something was done to the cluster, and a shade over time without telemetry.

import { eachGap } from '../store/watched.ts';
import type { Drawing } from './drawing.ts';

/** Drawn before the chart's own content. */
export function drawUnwatched({ context, height, palette, time, store }: Drawing): void {
  context.fillStyle = palette.sunken;
  const shade = (from_ms: number, to_ms: number) => context.fillRect(time.x(from_ms), 0, time.x(to_ms) - time.x(from_ms), height);
  if (store.newest_ms === null) shade(time.from_ms, time.to_ms);
  else eachGap(store.totals, time, shade);
}

/** Drawn after the chart's own content. The marks' words stand on the axis. */
export function drawMarks({ context, height, palette, time, store, ratio }: Drawing): void {
  const { marks } = store;
  const line = 1 / ratio;
  for (let index = marks.length - 1; index >= 0; index--) {
    const mark = marks[index]!;
    if (mark.at_ms < time.from_ms) return;
    if (mark.at_ms > time.to_ms) continue;
    context.fillStyle = 'conditions' in mark.what ? palette.accentInk : palette.inkFaint;
    const x = Math.round(time.x(mark.at_ms) * ratio) / ratio;
    for (let y = 0; y < height; y += 6) context.fillRect(x, y, Math.max(1, line), 4);
  }
}
