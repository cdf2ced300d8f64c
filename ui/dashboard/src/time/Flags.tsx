// The flags over the axis. React renders the set of flags; their positions are set once a frame, as the axis moves.
import { classes } from '@claret/ui/kit';
import { ArrowRightLeft, Ban, Flag, MessageSquare, MoveRight, RotateCcw, SlidersHorizontal, Zap, type LucideIcon } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { animationLoop } from '../chart/animationLoop.ts';
import { useSame } from '../components/useSame.ts';
import type { Mark } from '../store/telemetryStore.ts';
import styles from './Flags.module.css';
import { layOutFlags, type LabelWidths } from './flagLayout.ts';
import { FlagRows } from './flagRows.ts';
import { useGutter } from './gutter.ts';
import { markAbbreviation, markDetails, markKind, markWords } from './markWords.ts';
import { clockTime } from './ticks.ts';
import type { TimeAxis } from './timeAxis.ts';
import { useTelemetry, useTimeAxis } from './useTimeAxis.tsx';

/** More flags would be unreadable on an axis. */
const FLAGS_MAX = 40;
const ROW_PX = 21;

const iconOf = ({ what }: Mark): LucideIcon => {
  if ('conditions' in what) return SlidersHorizontal;
  if ('spike' in what) return what.spike === 'began' ? Zap : Flag;
  if ('note' in what) return MessageSquare;
  if ('slots_moved' in what) return what.slots_moved === 'done' ? MoveRight : Ban;
  return 'shard_taken_over' in what ? ArrowRightLeft : RotateCcw;
};

export function Flags() {
  const axis = useTimeAxis();
  const { width: gutter } = useGutter();
  const list = useRef<HTMLOListElement>(null);
  const [rows] = useState(() => new FlagRows());
  // The same array while the marks are the same: the effect below measures labels, which forces a layout.
  const marks = useSame(
    useTelemetry(({ marks: all }, { from_ms, to_ms }) => all.filter(({ at_ms }) => at_ms >= from_ms && at_ms <= to_ms).slice(-FLAGS_MAX)),
  );
  useEffect(() => {
    const box = list.current;
    if (box === null) return;
    let width = box.clientWidth;
    let labels = labelWidths(box);
    const measure = () => {
      width = box.clientWidth;
      labels = labelWidths(box);
    };
    const sizes = new ResizeObserver(measure);
    sizes.observe(box);
    document.fonts.addEventListener('loadingdone', measure);
    const stop = animationLoop.onFrame(() => {
      const used = placeFlags(box, marks, labels, axis, width);
      const height = `${rows.fit(used, performance.now()) * ROW_PX}px`;
      if (box.style.height !== height) box.style.height = height;
    });
    return () => {
      stop();
      sizes.disconnect();
      document.fonts.removeEventListener('loadingdone', measure);
    };
  }, [axis, marks, rows]);
  return (
    <ol className={styles.flags} ref={list} style={{ marginLeft: gutter }} aria-label="Changes to the cluster">
      {marks.map((mark, index) => {
        const Icon = iconOf(mark);
        const words = markWords(mark);
        return (
          <li
            key={`${mark.at_ms} ${index}`}
            className={classes(styles.flag, styles[markKind(mark)])}
            title={[`${clockTime(mark.at_ms)} ${words}`, markDetails(mark)].filter(Boolean).join(', ')}
          >
            <span className={styles.label}>
              <Icon className={styles.icon} size={13} aria-hidden="true" />
              <span className={styles.full}>{words}</span>
              <span className={styles.short} aria-hidden="true">
                {markAbbreviation(mark)}
              </span>
              <b className={styles.joined} aria-hidden="true" />
            </span>
          </li>
        );
      })}
    </ol>
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
function placeFlags(list: HTMLElement, marks: readonly Mark[], labels: readonly LabelWidths[], { span }: TimeAxis, width: number): number {
  const perMs = width / (span.to_ms - span.from_ms);
  const layouts = layOutFlags(
    marks.map(({ at_ms }) => (at_ms - span.from_ms) * perMs),
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
