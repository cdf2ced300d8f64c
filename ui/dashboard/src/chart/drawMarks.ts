// What goes through every chart: thin lines where something was done to the cluster, and a shade over what nobody watched.

import type { Drawing } from './drawing.ts';

/** Below a chart's own drawing. */
export function drawUnwatched({ context, height, palette, time, store }: Drawing): void {
  const { oldest_ms } = store;
  const until = oldest_ms === null ? time.right : Math.min(time.right, time.x(oldest_ms));
  if (until <= time.left) return;
  context.fillStyle = palette.sunken;
  context.fillRect(time.left, 0, until - time.left, height);
}

/** Above it. The words stand on the axis. */
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
