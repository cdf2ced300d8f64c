// The flags over the axis. Which there are is React's; where they stand is set once a frame, as the axis moves.
import { classes } from '@claret/ui/kit';
import { Flag, MessageSquare, RotateCcw, SlidersHorizontal, Zap, type LucideIcon } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { frameLoop } from '../chart/frameLoop.ts';
import { useSame } from '../parts/useSame.ts';
import type { Mark } from '../store/telemetryStore.ts';
import styles from './Flags.module.css';
import { flagPlaces } from './flagPlaces.ts';
import { markKind, markWords } from './markWords.ts';
import { clockTime } from './ticks.ts';
import type { TimeAxis } from './timeAxis.ts';
import { useTelemetry, useTimeAxis } from './useTimeAxis.tsx';

/** More than one can read on an axis. */
const FLAGS_MAX = 40;

const iconOf = ({ what }: Mark): LucideIcon => {
  if ('conditions' in what) return SlidersHorizontal;
  if ('spike' in what) return what.spike === 'began' ? Zap : Flag;
  return 'note' in what ? MessageSquare : RotateCcw;
};

/** `box`: the element that is as wide as the axis. */
export function Flags({ box }: { box: HTMLElement | null }) {
  const axis = useTimeAxis();
  const list = useRef<HTMLOListElement>(null);
  // The same array for as long as there are the same marks: the effect below measures, which lays the page out.
  const marks = useSame(
    useTelemetry(({ marks: all }, { from_ms, to_ms }) => all.filter(({ at_ms }) => at_ms >= from_ms && at_ms <= to_ms).slice(-FLAGS_MAX)),
  );
  useEffect(() => {
    if (box === null) return;
    let width = box.clientWidth;
    const sizes = new ResizeObserver(() => (width = box.clientWidth));
    sizes.observe(box);
    const stop = frameLoop.onFrame(() => list.current && placeFlags(list.current, marks, axis, width));
    return () => {
      stop();
      sizes.disconnect();
    };
  }, [box, axis, marks]);
  return (
    <ol className={styles.flags} ref={list} aria-label="What was done to the cluster">
      {marks.map((mark, index) => {
        const Icon = iconOf(mark);
        const words = markWords(mark);
        return (
          <li key={`${mark.at_ms} ${index}`} className={classes(styles.flag, styles[markKind(mark)])} title={`${clockTime(mark.at_ms)} ${words}`}>
            <span className={styles.words}>
              <Icon size={12} aria-hidden="true" />
              <span className={styles.text}>{words}</span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function placeFlags(list: HTMLElement, marks: readonly Mark[], { span }: TimeAxis, width: number): void {
  const perMs = width / (span.to_ms - span.from_ms);
  const places = flagPlaces(marks.map(({ at_ms }) => (at_ms - span.from_ms) * perMs), width);
  places.forEach(({ x, row, room, waves }, index) => {
    const flag = list.children[index] as HTMLElement | undefined;
    if (!flag) return;
    const isOut = x < 0 || x > width;
    flag.hidden = isOut;
    if (isOut) return;
    flag.style.transform = `translateX(${x}px)`;
    flag.style.setProperty('--room', `${Math.round(room)}px`);
    if (flag.dataset['waves'] !== waves) flag.dataset['waves'] = waves;
    if (flag.dataset['row'] !== String(row)) flag.dataset['row'] = String(row);
  });
}
