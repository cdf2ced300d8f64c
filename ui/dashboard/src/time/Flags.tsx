// The flags over the axis, one for each mark, or for those that are close together. React renders the set of flags; their positions are set once a
// frame, as the axis moves.
import { classes } from '@claret/ui/kit';
import {
  ArrowRightLeft,
  Ban,
  Flag,
  Layers,
  MessageSquare,
  MoveRight,
  RotateCcw,
  SlidersHorizontal,
  Zap,
  type LucideIcon,
} from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { animationLoop } from '../chart/animationLoop.ts';
import { useSame } from '../components/useSame.ts';
import { useWidth } from '../components/useWidth.ts';
import type { Mark } from '../store/telemetryStore.ts';
import { FlagCluster } from './FlagCluster.tsx';
import { clusterMarks, clusterWords } from './clusters.ts';
import styles from './Flags.module.css';
import { layOutFlags, type LabelWidths } from './flagLayout.ts';
import { FlagRows } from './flagRows.ts';
import { useGutter } from './gutter.ts';
import { markAbbreviation, markDetails, markKind, markWords, type MarkKind } from './markWords.ts';
import { clockTime } from './ticks.ts';
import type { TimeAxis } from './timeAxis.ts';
import { useTelemetry, useTimeAxis } from './useTimeAxis.tsx';

/** More flags would be unreadable on an axis. */
const FLAGS_MAX = 40;
const ROW_PX = 24;

const iconOf = ({ what }: Mark): LucideIcon => {
  if ('conditions' in what) return SlidersHorizontal;
  if ('spike' in what) return what.spike === 'began' ? Zap : Flag;
  if ('note' in what) return MessageSquare;
  if ('slots_moved' in what) return what.slots_moved === 'done' ? MoveRight : Ban;
  return 'shard_taken_over' in what ? ArrowRightLeft : RotateCcw;
};

/** What a flag shows. */
interface FlagLook {
  Icon: LucideIcon;
  words: string;
  short: string;
  kind: MarkKind;
}

function lookOf(cluster: readonly Mark[]): FlagLook {
  const [mark] = cluster as [Mark];
  if (cluster.length === 1) return { Icon: iconOf(mark), words: markWords(mark), short: markAbbreviation(mark), kind: markKind(mark) };
  const kinds = new Set(cluster.map(markKind));
  const kind = kinds.size === 1 ? markKind(mark) : 'note';
  return { Icon: Layers, words: clusterWords(cluster), short: String(cluster.length), kind };
}

const titleOf = (mark: Mark): string => [`${clockTime(mark.at_ms)} ${markWords(mark)}`, markDetails(mark)].filter(Boolean).join(', ');

export function Flags() {
  const axis = useTimeAxis();
  const { width: gutter } = useGutter();
  const list = useRef<HTMLOListElement>(null);
  const [box, boxWidth] = useWidth();
  const [rows] = useState(() => new FlagRows());
  // The same array while the marks and the scale are the same: the effect below measures labels, which forces a layout.
  const marks = useSame(
    useTelemetry(({ marks: all }, { from_ms, to_ms }) => all.filter(({ at_ms }) => at_ms >= from_ms && at_ms <= to_ms).slice(-FLAGS_MAX)),
  );
  const ms_per_px = useTelemetry((_, { from_ms, to_ms }) => Math.round((to_ms - from_ms) / Math.max(1, boxWidth)));
  const clusters = useMemo(() => clusterMarks(marks, ms_per_px), [marks, ms_per_px]);
  useEffect(() => {
    const flags = list.current;
    if (flags === null) return;
    let width = flags.clientWidth;
    let labels = labelWidths(flags);
    const measure = () => {
      width = flags.clientWidth;
      labels = labelWidths(flags);
    };
    const sizes = new ResizeObserver(measure);
    sizes.observe(flags);
    document.fonts.addEventListener('loadingdone', measure);
    const times = clusters.map(([first]) => first!.at_ms);
    const stop = animationLoop.onFrame(() => {
      const used = placeFlags(flags, times, labels, axis, width);
      const height = `${rows.fit(used, performance.now()) * ROW_PX}px`;
      if (flags.style.height !== height) flags.style.height = height;
    });
    return () => {
      stop();
      sizes.disconnect();
      document.fonts.removeEventListener('loadingdone', measure);
    };
  }, [axis, clusters, rows]);
  return (
    <div ref={box} style={{ marginLeft: gutter }}>
      <ol className={styles.flags} ref={list} aria-label="Changes to the cluster">
        {clusters.map((cluster, index) => {
          const { Icon, words, short, kind } = lookOf(cluster);
          const label = (
            <>
              <Icon className={styles.icon} size={13} aria-hidden="true" />
              <span className={styles.full}>{words}</span>
              <span className={styles.short} aria-hidden="true">
                {short}
              </span>
              <b className={styles.joined} aria-hidden="true" />
            </>
          );
          return (
            <li
              key={`${cluster[0]!.at_ms} ${index}`}
              className={classes(styles.flag, styles[kind])}
              title={cluster.map(titleOf).join('\n')}
            >
              {cluster.length === 1 ? (
                <span className={styles.label}>{label}</span>
              ) : (
                <FlagCluster
                  className={styles.label}
                  sum={words}
                  lines={cluster.map((mark) => ({ at: clockTime(mark.at_ms), words: markWords(mark) }))}
                >
                  {label}
                </FlagCluster>
              )}
            </li>
          );
        })}
      </ol>
    </div>
  );
}

/** The icon with its padding, as in the style sheet. */
const ICON_PX = 22;
const WORDS_GAP_PX = 4;
const PADDING_END_PX = 6;

function labelWidths(list: HTMLElement): LabelWidths[] {
  return [...list.children].map((flag) => {
    const [full, short] = [flag.querySelector(`.${styles.full}`), flag.querySelector(`.${styles.short}`)].map(
      (words) => ICON_PX + WORDS_GAP_PX + Math.ceil((words as HTMLElement).scrollWidth) + PADDING_END_PX,
    ) as [number, number];
    return { full, short: Math.min(full, short), icon: ICON_PX };
  });
}

/** Returns the number of rows with flags. */
function placeFlags(
  list: HTMLElement,
  times: readonly number[],
  labels: readonly LabelWidths[],
  { span }: TimeAxis,
  width: number,
): number {
  const perMs = width / (span.to_ms - span.from_ms);
  const layouts = layOutFlags(
    times.map((at_ms) => (at_ms - span.from_ms) * perMs),
    labels,
    width,
  );
  let rows = 0;
  layouts.forEach(({ x, row, shift, size, joined, isJoined }, index) => {
    const flag = list.children[index] as HTMLElement | undefined;
    if (!flag) return;
    flag.hidden = x < 0 || x > width;
    if (flag.hidden) return;
    if (!isJoined) rows = Math.max(rows, row + 1);
    flag.style.transform = `translateX(${x}px)`;
    const looks = {
      row: String(row),
      size: isJoined ? 'pole' : size,
      joined: joined > 0 ? `+${joined}` : '',
      side: shift > 0 ? 'left' : 'right',
    };
    for (const [name, value] of Object.entries(looks)) if (flag.dataset[name] !== value) flag.dataset[name] = value;
    const shifted = `${-Math.round(shift)}px`;
    if (flag.style.getPropertyValue('--shift') !== shifted) flag.style.setProperty('--shift', shifted);
    const sum = flag.querySelector(`.${styles.joined}`)!;
    if (sum.textContent !== looks.joined) sum.textContent = looks.joined;
  });
  return rows;
}
