// The one record over a second: on the line, who held it; above, how many held it together when a sampled transaction did; below, who waited or
// was thrown back, each with an arrow to what held it then. A click opens a transaction's steps. It stands still while it is pointed at.
import { classes, formatCount } from '@claret/ui/kit';
import { useState, type KeyboardEvent } from 'react';
import '../chart/modes.css';
import { modeLook } from '../chart/modes.ts';
import { msWords } from '../components/figures.ts';
import { Middle } from '../components/Middle.tsx';
import { useWidth } from '../components/useWidth.ts';
import type { TransactionSample } from '../store/telemetryStore.ts';
import { TransactionDialog } from '../views/transactions/TransactionDialog.tsx';
import { labelWords } from '../views/conflicts/conflictMatrix.ts';
import { useHeld } from '../views/useHeld.ts';
import { recordPicture, type Held, type KeptOut, type RecordPicture } from './recordPicture.ts';
import styles from './RecordLanes.module.css';
import type { StoryView } from './storyView.ts';

const SPAN_MS = 1_000;
/** of a mode that ran, from its end */
const SECONDS_TRIED = 12;
/** What happened in the newest moments is not all told yet. */
const BEHIND_MS = 250;
const ABOVE = 74;
const BAND = 13;
const ROW = 9;
const BELOW = 6 * ROW + 8;
const HEIGHT = ABOVE + BAND + BELOW;
/** The height of the picture stands for at least so many holders. */
const HOLDERS_MIN = 32;
const NAME_PX = 44;
const HIT_PX = 8;

export function RecordLanes({ view }: { view: StoryView }) {
  const [box, width] = useWidth();
  const [opened, setOpened] = useState<TransactionSample | null>(null);
  const { shown: picture, handlers } = useHeld(pictureOf(view));
  const key = view.meeting.record?.key ?? null;
  const isNow = view.running !== null && view.running === view.shown;
  return (
    <section className={styles.record} aria-labelledby="one-record">
      <h2 id="one-record" className={styles.title}>
        The one record{isNow ? ', live' : ''}{' '}
        {key !== null && (
          <code className={styles.key}>
            <Middle text={key} most={40} />
          </code>
        )}
      </h2>
      <p className={styles.about}>
        {picture === null ? 'The record that most transactions want is shown here.' : captionOf(picture, view)}
      </p>
      <div ref={box} className={styles.box} style={{ height: HEIGHT }} {...handlers}>
        {picture !== null && width > 0 && <Drawing picture={picture} width={width} onOpen={setOpened} />}
      </div>
      {opened !== null && <TransactionDialog sample={opened} onClose={() => setOpened(null)} />}
    </section>
  );
}

/** The last second of the mode that runs; of one that ran, that among its last seconds in which most sampled transactions were at the record. */
function pictureOf(view: StoryView): RecordPicture | null {
  const { store, until_ms, meeting, running, shown } = view;
  const key = meeting.record?.key;
  if (until_ms === null || key === undefined) return null;
  const last_ms = until_ms - BEHIND_MS;
  const at = (to_ms: number) => recordPicture(store, key, { from_ms: to_ms - SPAN_MS, to_ms });
  if (running !== null && running === shown) return at(last_ms);
  const card = shown === null ? undefined : view.cards[shown];
  const first_ms = card?.state === 'measured' ? card.figures.span.from_ms : last_ms - SPAN_MS;
  let best = at(last_ms);
  for (let to_ms = last_ms - SPAN_MS, n = 1; n < SECONDS_TRIED && to_ms - SPAN_MS >= first_ms; to_ms -= SPAN_MS, n += 1) {
    const picture = at(to_ms);
    if (sampledIn(picture) > sampledIn(best)) best = picture;
  }
  return best;
}

const sampledIn = (picture: RecordPicture | null): number => (picture === null ? -1 : picture.held.length + picture.keptOut.length);

function captionOf({ holders_max, conflicts_per_s }: RecordPicture, { story, shown }: StoryView): string {
  const holders = holders_max === 1 ? 'One operation holds it at a time' : `Up to ${formatCount(holders_max)} operations hold it at once`;
  const out = Math.round(conflicts_per_s);
  if (out === 0) return `${holders}.`;
  if (!story.modes[shown ?? 0]!.conditions.phasing) return `${holders}; ${formatCount(out)} tries thrown back a second.`;
  return `${holders}; ${formatCount(out)} waits a second.`;
}

interface DrawingProps {
  picture: RecordPicture;
  width: number;
  onOpen(sample: TransactionSample): void;
}

type Item = { is: 'held'; one: Held } | { is: 'out'; one: KeptOut };

function Drawing({ picture, width, onOpen }: DrawingProps) {
  const { span, phases, held, keptOut, holders_max } = picture;
  const [at, setAt] = useState(0);
  const x = (at_ms: number) => Math.min(width, Math.max(0, ((at_ms - span.from_ms) / (span.to_ms - span.from_ms)) * width));
  const tall = (holders: number) => (holders / Math.max(HOLDERS_MIN, holders_max)) * (ABOVE - 4);
  const items: Item[] = [...held.map((one): Item => ({ is: 'held', one })), ...keptOut.map((one): Item => ({ is: 'out', one }))].sort(
    (a, b) => a.one.from_ms - b.one.from_ms,
  );
  const current = Math.min(at, items.length - 1);
  const named = namedOnce(phases.map(({ mode, from_ms, to_ms }) => ({ mode, width: x(to_ms) - x(from_ms) })));
  const move = (event: KeyboardEvent<SVGGElement>) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = Math.min(items.length - 1, Math.max(0, current + by));
    setAt(next);
    (event.currentTarget.parentElement?.querySelectorAll('[data-item]')[next] as SVGGElement | undefined)?.focus();
  };
  return (
    <svg width={width} height={HEIGHT} role="group" aria-label="Sampled transactions at the record">
      <defs>
        <pattern id="waits" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect className={styles.hatch} width="2" height="5" />
        </pattern>
      </defs>
      <line className={styles.ground} x1={0} x2={width} y1={ABOVE + BAND / 2} y2={ABOVE + BAND / 2} />
      {phases.map(({ mode, from_ms, to_ms }, place) => (
        <g key={place}>
          <rect
            x={x(from_ms)}
            y={ABOVE}
            width={Math.max(1, x(to_ms) - x(from_ms) - 0.5)}
            height={BAND}
            style={{ fill: `var(${modeLook(mode).token})` }}
          />
          {named.has(place) && (
            <text className={styles.mode} x={x(from_ms) + 4} y={ABOVE + BAND - 3}>
              {modeWords(mode)}
            </text>
          )}
        </g>
      ))}
      {items.map((item, place) => (
        <g
          key={`${item.one.sample.transaction} ${item.one.attempt.begun_ms} ${item.one.attempt.shard} ${item.is}`}
          data-item=""
          className={styles.item}
          role="button"
          tabIndex={place === current ? 0 : -1}
          aria-label={`${wordsOf(item)}. Show its steps`}
          onFocus={() => setAt(place)}
          onClick={() => onOpen(item.one.sample)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' && event.key !== ' ') return move(event);
            event.preventDefault();
            onOpen(item.one.sample);
          }}
        >
          <title>{wordsOf(item)}</title>
          {item.is === 'held' ? <HeldBar one={item.one} x={x} tall={tall} /> : <OutMark one={item.one} x={x} />}
        </g>
      ))}
    </svg>
  );
}

/** The places of the widest phase of each mode, where its name fits. */
function namedOnce(phases: readonly { mode: string; width: number }[]): Set<number> {
  const widest = new Map<string, number>();
  phases.forEach(({ mode, width }, place) => {
    const before = widest.get(mode);
    if (width > NAME_PX && (before === undefined || width > phases[before]!.width)) widest.set(mode, place);
  });
  return new Set(widest.values());
}

const modeWords = (mode: string): string => (mode.startsWith('run') ? 'in one go' : mode);

function HeldBar({
  one: { from_ms, to_ms, beside, isLost },
  x,
  tall,
}: {
  one: Held;
  x(at_ms: number): number;
  tall(holders: number): number;
}) {
  const left = x(from_ms);
  const width = Math.max(2.5, x(to_ms) - left);
  const height = tall(beside + 1);
  return (
    <>
      <rect className={styles.hit} x={left - HIT_PX / 2} y={0} width={width + HIT_PX} height={ABOVE} />
      {beside > 0 && <rect className={styles.others} x={left} y={ABOVE - height} width={width} height={height} rx={1.5} />}
      <rect className={classes(styles.own, isLost && styles.lost)} x={left} y={ABOVE - 5} width={width} height={4} rx={1} />
    </>
  );
}

function OutMark({ one: { from_ms, to_ms, row, isThrownBack }, x }: { one: KeptOut; x(at_ms: number): number }) {
  const [left, right] = [x(from_ms), x(to_ms)];
  const y = ABOVE + BAND + 10 + row * ROW;
  const tip = ABOVE + BAND + 1;
  return (
    <>
      <rect className={styles.hit} x={left - HIT_PX / 2} y={y - ROW / 2} width={right - left + HIT_PX} height={ROW} />
      <path className={styles.arrow} d={`M${left} ${y - 3}V${tip}m-2 3.5l2-3.5l2 3.5`} />
      {isThrownBack ? (
        <path className={styles.cross} d={`M${left - 3} ${y - 3}l6 6m0-6l-6 6`} />
      ) : (
        <rect className={styles.wait} x={left} y={y - 2.5} width={Math.max(3, right - left)} height={5} rx={1} />
      )}
    </>
  );
}

function wordsOf({ is, one }: Item): string {
  const who = `${labelWords(one.sample.label)}: ${one.operation}`;
  const time = msWords(one.to_ms - one.from_ms);
  if (is === 'held') {
    const beside = one.beside > 0 ? ` beside ${formatCount(one.beside)} others` : '';
    return `${who} held it for ${time}${beside}${one.isLost ? ', and was then thrown away' : ''}`;
  }
  const behind = one.behind === '' ? '' : ` behind ${one.behind}`;
  return one.isThrownBack ? `${who} was thrown back${behind}` : `${who} waited ${time}${behind}`;
}
