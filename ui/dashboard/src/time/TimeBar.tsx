// The time that all charts show: clock times, a flag with words for whatever was done to the cluster, and the buttons for
// what keys do too.
import { Button, classes } from '@claret/ui/kit';
import { Minus, Pause, Play, Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Chart } from '../chart/Chart.tsx';
import type { Drawing } from '../chart/drawing.ts';
import { Flags } from './Flags.tsx';
import styles from './TimeBar.module.css';
import { axisTicks, clockTime, durationWords } from './ticks.ts';
import { listenToKeys } from './timeKeys.ts';
import { useFollowing, useTelemetry, useTimeAxis } from './useTimeAxis.tsx';

const ZOOM = 1.5;
const LABEL_PX = 76;
const HEIGHT_PX = 18;

export function TimeBar() {
  const axis = useTimeAxis();
  const isFollowing = useFollowing();
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  useEffect(() => listenToKeys(document, axis), [axis]);
  return (
    <section className={styles.bar} aria-label="Time shown">
      <div className={styles.tools} role="group" aria-label="Time">
        <Button
          size="small"
          className={classes(styles.tool, styles.pause, !isFollowing && styles.paused)}
          onClick={() => (isFollowing ? axis.pause() : axis.follow())}
          aria-keyshortcuts={isFollowing ? 'Space' : 'Space Home'}
          title={isFollowing ? 'Stop here; collecting goes on (space)' : 'Show what is newest again (space, Home)'}
        >
          {isFollowing ? <Pause size={15} aria-hidden="true" /> : <Play size={15} aria-hidden="true" />}
          {isFollowing ? 'Pause' : 'Go on'}
        </Button>
        <Button size="small" className={styles.tool} aria-label="Show more time" aria-keyshortcuts="-" title="Show more time (−)" onClick={() => axis.zoom(1 / ZOOM)}>
          <Minus size={15} aria-hidden="true" />
        </Button>
        <SpanWords />
        <Button size="small" className={styles.tool} aria-label="Show less time" aria-keyshortcuts="+" title="Show less time (+)" onClick={() => axis.zoom(ZOOM)}>
          <Plus size={15} aria-hidden="true" />
        </Button>
      </div>
      <div className={styles.axis} ref={setBox}>
        <Flags box={box} />
        <Chart title="Clock times of what is shown" height={HEIGHT_PX} draw={drawTicks} />
      </div>
    </section>
  );
}

function SpanWords() {
  const words = useTelemetry((store, { from_ms, to_ms }, axis) => {
    if (axis.hover_ms !== null) return clockTime(axis.hover_ms, true);
    const width = durationWords(to_ms - from_ms);
    if (axis.following || store.newest_ms === null) return `Last ${width}`;
    const behind_ms = store.newest_ms - to_ms;
    return behind_ms < 1_000 ? width : `${width}, ${durationWords(Math.round(behind_ms / 1_000) * 1_000)} ago`;
  });
  return <span className={classes('figures', styles.span)}>{words}</span>;
}

function drawTicks({ context, palette, time, height, store }: Drawing): void {
  if (store.newest_ms === null) return;
  context.font = `11px ${palette.mono}`;
  context.textBaseline = 'middle';
  context.textAlign = 'center';
  for (const { at_ms, label } of axisTicks(time.from_ms, time.to_ms, LABEL_PX * time.ms_per_px)) {
    const x = time.x(at_ms);
    context.fillStyle = palette.lineStrong;
    context.fillRect(Math.round(x), 0, 1, 3);
    if (x < LABEL_PX / 2 || x > time.right - LABEL_PX / 2) continue;
    context.fillStyle = palette.inkSoft;
    context.fillText(label, x, height / 2 + 2);
  }
}
