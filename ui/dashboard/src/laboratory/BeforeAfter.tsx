// What the newest switch has changed, measured on both sides of its mark.
import { ArrowRight } from 'lucide-react';
import { figureWords } from '../parts/figures.ts';
import { useTelemetry } from '../time/useTimeAxis.tsx';
import { durationWords } from '../time/ticks.ts';
import { shortConditionWords } from './conditions.ts';
import styles from './Laboratory.module.css';
import { newestSwitch, type Measured, type Switched } from './measured.ts';
import { spikeName } from './spikeNames.ts';
import type { Stretch } from './stretches.ts';

export function BeforeAfter() {
  const switched = useTelemetry(newestSwitch);
  return (
    <div className={styles.group}>
      <span className={styles.label}>What the last switch changed</span>
      {switched === null ? (
        <p className={styles.soft}>Start a spike, then switch: what it changes is measured here, before and after.</p>
      ) : (
        <Comparison switched={switched} />
      )}
    </div>
  );
}

function Comparison({ switched: { before, after } }: { switched: Switched }) {
  // Without a spike on both sides they are of different crowds.
  const isSameCrowd = after.stretch.spike !== null && before?.stretch.spike === after.stretch.spike;
  const factor = isSameCrowd ? factorOf(before.measured, after.measured) : null;
  return (
    <>
      <p className={styles.comparison}>
        <span>
          before: <b className="figures">{before?.measured ? `${figureWords(before.measured.committed_per_s)}/s` : 'unknown'}</b>
        </span>
        <ArrowRight size={15} aria-hidden="true" />
        <span>
          after: <b className="figures">{after.measured ? `${figureWords(after.measured.committed_per_s)}/s` : 'measuring'}</b>
        </span>
        {factor !== null && <b className={styles.factor}>×{figureWords(factor)}</b>}
      </p>
      <p className={styles.sides}>
        <Side stretch={before?.stretch ?? null} measured={before?.measured ?? null} />
        <ArrowRight size={12} aria-hidden="true" />
        <Side stretch={after.stretch} measured={after.measured} />
      </p>
    </>
  );
}

function factorOf(before: Measured | null, after: Measured | null): number | null {
  return before !== null && after !== null && before.committed_per_s > 0 ? after.committed_per_s / before.committed_per_s : null;
}

/** What one side was: the conditions, the load, and of how long a time the figure is. */
function Side({ stretch, measured }: { stretch: Stretch | null; measured: Measured | null }) {
  const under = stretch?.conditions ? shortConditionWords(stretch.conditions) : 'not seen';
  const load = stretch === null || stretch.spike === null ? 'no spike' : spikeName(stretch.spike);
  const length_ms = measured && Math.round((measured.span.to_ms - measured.span.from_ms) / 1_000) * 1_000;
  return <span>{[under, ...(length_ms === null ? [] : [load, durationWords(length_ms)])].join(', ')}</span>;
}
