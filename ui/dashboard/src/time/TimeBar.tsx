// The header of the time axis: its range, a flag for each intervention in the cluster, and clock times.
import { Button, classes } from '@claret/ui/kit';
import { Pause, Play, Search } from 'lucide-react';
import { useEffect, useState, type CSSProperties } from 'react';
import { Chart } from '../chart/Chart.tsx';
import type { Drawing } from '../chart/drawing.ts';
import { FindDialog } from './FindDialog.tsx';
import { Flags } from './Flags.tsx';
import { useGutter } from './gutter.ts';
import { KeysHelp } from './KeysHelp.tsx';
import { RANGES, rangeOf } from './ranges.ts';
import styles from './TimeBar.module.css';
import { axisTicks, clockTime, durationWords } from './ticks.ts';
import { listenToKeys } from './timeKeys.ts';
import { useFollowing, useTelemetry, useTimeAxis } from './useTimeAxis.tsx';

const LABEL_PX = 82;
const HEIGHT_PX = 20;

export function TimeBar() {
  const axis = useTimeAxis();
  const isFollowing = useFollowing();
  const { width } = useGutter();
  const [isFinding, setIsFinding] = useState(false);
  useEffect(() => listenToKeys(document, axis, () => setIsFinding(true)), [axis]);
  return (
    <section className={styles.bar} style={{ '--gutter': `${width}px` } as CSSProperties} aria-label="Time shown">
      <div className={styles.tools}>
        <div className={styles.row}>
          <Button
            size="small"
            className={classes(styles.tool, styles.pause, !isFollowing && styles.paused)}
            onClick={() => (isFollowing ? axis.pause() : axis.follow())}
            aria-keyshortcuts={isFollowing ? 'Space' : 'Space Home'}
            title={isFollowing ? 'Hold the picture; telemetry is still collected (Space)' : 'Show the newest again (Space or Home)'}
          >
            {isFollowing ? <Pause size={15} aria-hidden="true" /> : <Play size={15} aria-hidden="true" />}
            {isFollowing ? 'Pause' : 'Resume'}
          </Button>
          <Button
            size="small"
            className={styles.tool}
            aria-label="Find a record or a label"
            title="Find a record or a label (/ or F)"
            onClick={() => setIsFinding(true)}
          >
            <Search size={15} aria-hidden="true" />
          </Button>
          <KeysHelp className={styles.tool} />
        </div>
        <Ranges />
        <SpanWords />
      </div>
      <div className={styles.axis}>
        <Flags />
        <Chart title="Clock times" height={HEIGHT_PX} draw={drawTicks} valueAt={timeAt} />
      </div>
      {isFinding && <FindDialog onClose={() => setIsFinding(false)} />}
    </section>
  );
}

function Ranges() {
  const axis = useTimeAxis();
  const chosen_ms = useTelemetry((_, span) => rangeOf(span));
  return (
    <div className={styles.ranges} role="group" aria-label="How much time">
      {RANGES.map(({ width_ms, words }) => (
        <button
          key={width_ms}
          type="button"
          className={styles.range}
          aria-pressed={chosen_ms === width_ms}
          onClick={() => axis.showWidth(width_ms)}
        >
          {words}
        </button>
      ))}
    </div>
  );
}

/** The shown time in words: `Last 60 s`, `60 s, 12 s ago`. */
function SpanWords() {
  const words = useTelemetry((store, { from_ms, to_ms }, axis) => {
    const width = durationWords(to_ms - from_ms);
    if (axis.following || store.newest_ms === null) return `Last ${width}`;
    const behind_ms = store.newest_ms - to_ms;
    return behind_ms < 1_000 ? width : `${width}, ${durationWords(Math.round(behind_ms / 1_000) * 1_000)} ago`;
  });
  return <span className={classes('figures', styles.span)}>{words}</span>;
}

const timeAt = (_: unknown, at_ms: number): string => clockTime(at_ms, true);

function drawTicks({ context, palette, time, height, store }: Drawing): void {
  if (store.newest_ms === null) return;
  context.font = `12px ${palette.mono}`;
  context.textBaseline = 'middle';
  context.textAlign = 'center';
  for (const { at_ms, label } of axisTicks(time.from_ms, time.to_ms, LABEL_PX * time.ms_per_px)) {
    const x = time.x(at_ms);
    context.fillStyle = palette.lineStrong;
    context.fillRect(Math.round(x), 0, 1, 3);
    if (x < time.left + LABEL_PX / 2 || x > time.right - LABEL_PX / 2) continue;
    context.fillStyle = palette.inkSoft;
    context.fillText(label, x, height / 2 + 2);
  }
}
