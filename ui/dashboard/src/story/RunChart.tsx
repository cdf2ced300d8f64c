// Commits a second over one run. The background has the colour and the number of the mode that was in force; the cards have the names.
import { useId } from 'react';
import { formatCount } from '@claret/ui/kit';
import { useWidth } from '../components/useWidth.ts';
import { roundCeiling, scaleWords } from '../components/figures.ts';
import styles from './RunChart.module.css';
import type { Run } from './run.ts';
import type { StoryView } from './storyView.ts';

const HEIGHT = 132;
const TOP = 20;
const BOTTOM = 18;
const LEFT = 52;
const SECONDS_MIN = 40;
/** Three times on the axis at most. */
const TICKS_S = [20, 60, 300, 1_200];

export function RunChart({ view }: { view: StoryView }) {
  const [box, width] = useWidth();
  const titleId = useId();
  return (
    <section className={styles.chart} aria-labelledby={titleId}>
      <h2 id={titleId} className={styles.title}>
        Commits a second
      </h2>
      <div ref={box} className={styles.box} style={{ height: HEIGHT }}>
        {view.run !== null && width > 0 ? (
          <Drawing run={view.run} view={view} width={width} />
        ) : (
          <p className={styles.empty}>Each second of the next run is drawn here.</p>
        )}
      </div>
    </section>
  );
}

function Drawing({ run, view, width }: { run: Run; view: StoryView; width: number }) {
  const { story } = view;
  const { from_ms, to_ms } = run.span;
  const seconds = Math.max(SECONDS_MIN, run.isRunning ? story.seconds * story.modes.length : 0, (to_ms - from_ms) / 1_000);
  const tick_s = TICKS_S.find((every_s) => seconds < 3 * every_s) ?? TICKS_S.at(-1)!;
  const x = (at_ms: number) => LEFT + ((at_ms - from_ms) / 1_000 / seconds) * (width - LEFT);
  const top_per_s = roundCeiling(Math.max(...run.rates.map(({ per_s }) => per_s), 1));
  const y = (per_s: number) => TOP + (1 - per_s / top_per_s) * (HEIGHT - TOP - BOTTOM);
  const line = run.rates
    .map(({ at_ms, per_s }, place) => `${place === 0 ? 'M' : 'L'}${x(at_ms + 500).toFixed(1)} ${y(per_s).toFixed(1)}`)
    .join('');
  return (
    <svg width={width} height={HEIGHT} role="img" aria-label={wordsOf(run)}>
      {run.bands.map(({ span, mode }) => {
        const [left, right] = [x(span.from_ms), x(span.to_ms)];
        const number = mode === null ? null : story.modes.indexOf(mode) + 1;
        return (
          <g key={span.from_ms} data-look={mode?.look}>
            <rect className={styles.band} x={left} y={0} width={Math.max(0, right - left)} height={HEIGHT - BOTTOM} />
            {number !== null && right - left > 18 && (
              <text className={styles.bandName} x={left + 6} y={14}>
                {number}
              </text>
            )}
          </g>
        );
      })}
      {[0, top_per_s].map((per_s) => (
        <g key={per_s}>
          <line className={styles.grid} x1={LEFT} x2={width} y1={y(per_s)} y2={y(per_s)} />
          <text className={styles.tick} x={LEFT - 8} y={y(per_s) + 4} textAnchor="end">
            {scaleWords(per_s)}
          </text>
        </g>
      ))}
      {Array.from({ length: Math.floor(seconds / tick_s) + 1 }, (_, place) => place * tick_s).map((at_s) => (
        <text
          key={at_s}
          className={styles.tick}
          x={x(from_ms + at_s * 1_000)}
          y={HEIGHT - 4}
          textAnchor={at_s === 0 ? 'start' : at_s + 1 > seconds ? 'end' : 'middle'}
        >
          {at_s + tick_s > seconds ? `${at_s} s` : at_s}
        </text>
      ))}
      <path className={styles.line} d={line} />
    </svg>
  );
}

function wordsOf({ bands, rates }: Run): string {
  const parts = bands.map(({ span, mode }) => {
    const within = rates.filter(({ at_ms }) => at_ms >= span.from_ms && at_ms < span.to_ms).map(({ per_s }) => per_s);
    const between =
      within.length === 0
        ? 'not measured'
        : `${formatCount(Math.round(Math.min(...within)))} to ${formatCount(Math.round(Math.max(...within)))}`;
    return `${mode?.name ?? 'another mode'}: ${between}`;
  });
  return `Commits in each second. ${parts.join('; ')}.`;
}
