// The effect of the newest switch, measured before and after its mark.
import { ArrowRight } from 'lucide-react';
import { figureWords } from '../components/figures.ts';
import { useTelemetry } from '../time/useTimeAxis.tsx';
import { durationWords } from '../time/ticks.ts';
import { shortConditionWords } from './conditions.ts';
import styles from './Laboratory.module.css';
import { newestSwitch, type Measured, type Switched } from './measured.ts';
import { spikeName } from './spikeNames.ts';
import type { Stretch } from './stretches.ts';
import { useLaboratory } from './useLaboratory.tsx';

export function BeforeAfter() {
  const switched = useTelemetry(newestSwitch);
  const { closed, spikes } = useLaboratory();
  return (
    <div className={styles.group}>
      <span className={styles.label}>What the last switch changed</span>
      {switched === null ? (
        <p className={styles.soft}>
          {closed === null ? 'Start a spike, then switch while it runs. This shows throughput before and after.' : 'No switch so far.'}
        </p>
      ) : isIdle(switched) ? (
        <p className={styles.soft}>
          No load was running at the switch to {shortConditionWords(switched.after.stretch.conditions!)}.
          {closed === null && (spikes?.running ? ' Switch again during the spike.' : ' Start a spike, then switch while it runs.')}
        </p>
      ) : (
        <Comparison switched={switched} />
      )}
    </div>
  );
}

/** Below this rate the cluster counts as idle: a page that looks, or a check. */
const IDLE_PER_S = 10;

function isIdle({ before, after }: Switched): boolean {
  const busiest = Math.max(before?.measured?.committed_per_s ?? 0, after.measured?.committed_per_s ?? 0);
  return before?.stretch.spike == null && after.stretch.spike === null && busiest < IDLE_PER_S;
}

function Comparison({ switched: { before, after } }: { switched: Switched }) {
  // Without the same spike on both sides the loads differ.
  const isSameLoad = after.stretch.spike !== null && before?.stretch.spike === after.stretch.spike;
  const factor = isSameLoad ? factorOf(before.measured, after.measured) : null;
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
      {hasNatives(before?.measured) || hasNatives(after.measured) ? (
        <p className={styles.sides}>
          Natives: {nativesWords(before?.measured)} before, {nativesWords(after.measured)} after
        </p>
      ) : null}
      <p className={styles.sides}>{sidesWords(before, after)}</p>
    </>
  );
}

const hasNatives = (measured: Measured | null | undefined) => (measured?.natives_per_s ?? 0) >= 1;
const nativesWords = (measured: Measured | null | undefined) => (measured ? `${figureWords(measured.natives_per_s)}/s` : 'unknown');

function factorOf(before: Measured | null, after: Measured | null): number | null {
  return before !== null && after !== null && before.committed_per_s > 0 ? after.committed_per_s / before.committed_per_s : null;
}

/** Describes both sides: the conditions, the load, and the length of time. */
function sidesWords(before: Switched['before'], after: Switched['after']): string {
  const [old, now] = [before?.stretch ?? null, after.stretch];
  const change = `${underWords(old)} → ${underWords(now)}`;
  const times = [before?.measured, after.measured].flatMap((measured) => (measured ? [timeWords(measured)] : []));
  const load = old === null || old.spike === now.spike ? loadWords(now) : `${loadWords(old)}, then ${loadWords(now)}`;
  return [change, load, ...(times.length > 0 ? [[...new Set(times)].join(' and ')] : [])].join(', ');
}

const underWords = (stretch: Stretch | null) => (stretch?.conditions ? shortConditionWords(stretch.conditions) : 'unknown');
const loadWords = ({ spike }: Stretch) => (spike === null ? 'no spike' : spikeName(spike));
const timeWords = ({ span }: Measured) => durationWords(Math.round((span.to_ms - span.from_ms) / 1_000) * 1_000);
