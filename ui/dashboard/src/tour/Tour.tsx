// The guided tour: one step at a time, over the charts that it refers to. The measurements stand in a table. Each step sets its
// conditions for the duration of its spike: the gateway restores the earlier ones, even if this page is closed.
import { Button, classes } from '@claret/ui/kit';
import { ArrowLeft, ArrowRight, Eye, FastForward, Play, X } from 'lucide-react';
import { useFeed, useFeedControls } from '../feed/useFeed.tsx';
import { conditionWords } from '../laboratory/conditions.ts';
import type { Measured } from '../laboratory/measured.ts';
import type { SpikeRun } from '../laboratory/spikes.ts';
import { useLaboratory } from '../laboratory/useLaboratory.tsx';
import { figureWords, msWords } from '../components/figures.ts';
import { useTelemetry, useTimeAxis } from '../time/useTimeAxis.tsx';
import { findingsOf } from './findings.ts';
import { STEPS, type Step } from './steps.ts';
import styles from './Tour.module.css';
import { useTour } from './useTour.ts';
import { verdictOf } from './verdict.ts';

/** Margin on both sides when a step's span is shown. */
const MARGIN_MS = 2_000;

export function Tour() {
  const { step, go } = useTour();
  const laboratory = useLaboratory();
  const findings = useTelemetry((store) => (step === null ? [] : findingsOf(store, STEPS)));
  if (step === null) return null;
  const close = () => {
    go(null);
    // A running step of the tour, which is no longer watched.
    if (laboratory.closed === null && laboratory.spikes?.running?.conditions) void laboratory.stop();
    // The focused button no longer exists.
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  const { title, tell, why, look } = STEPS[step]!;
  const verdict = verdictOf(STEPS, findings, step);
  return (
    <section className={styles.tour} aria-label="Guided tour">
      <div className={styles.story}>
        <p className={styles.count}>
          Step {step + 1} of {STEPS.length}
        </p>
        <h2 className={styles.title}>{title}</h2>
        <p className={styles.tell}>{tell}</p>
        <p className={styles.why}>{why}</p>
        <p className={styles.look}>
          <Eye size={16} aria-hidden="true" /> <span>{look}</span>
        </p>
        {verdict && (
          <p className={styles.verdict} role="status">
            {verdict}
          </p>
        )}
        <div className={styles.actions}>
          <RunStep key={step} step={STEPS[step]!} finding={findings[step] ?? null} />
          <Button size="small" disabled={step === 0} onClick={() => go(step - 1)}>
            <ArrowLeft size={15} aria-hidden="true" /> Back
          </Button>
          {step < STEPS.length - 1 ? (
            <Button size="small" onClick={() => go(step + 1)}>
              Next <ArrowRight size={15} aria-hidden="true" />
            </Button>
          ) : (
            <Button size="small" onClick={close}>
              End the tour
            </Button>
          )}
        </div>
      </div>
      <Findings findings={findings} at={step} />
      <Button look="quiet" size="icon" className={styles.close} aria-label="Leave the tour" onClick={close}>
        <X size={18} aria-hidden="true" />
      </Button>
    </section>
  );
}

interface RunStepProps {
  step: Step;
  finding: Measured | null;
}

function RunStep({ step, finding }: RunStepProps) {
  const { closed, spikes, noSpikes, isBusy, start } = useLaboratory();
  const axis = useTimeAxis();
  if (closed !== null || spikes === null) return <FindStep finding={finding} why={closed === null ? noSpikes : null} />;
  const run = () => {
    axis.follow();
    void start({ ...step.spike, conditions: step.conditions });
  };
  const isRunning = spikes.running !== null;
  return (
    <Button look="primary" size="small" isBusy={isBusy || isRunning} onClick={run}>
      <Play size={15} aria-hidden="true" />{' '}
      {isRunning ? runningWords(spikes.running!) : finding ? 'Run it again' : `Run it for ${step.spike.seconds} s`}
    </Button>
  );
}

function runningWords({ line }: SpikeRun): string {
  if (line?.state === 'running') return 'Running…';
  return line?.state === 'checking' ? 'Checking the results…' : 'Preparing…';
}

/** If no spike can be run: the time at which the step was measured in the shown data, or a note that it was not. */
function FindStep({ finding, why }: { finding: Measured | null; why: string | null }) {
  const axis = useTimeAxis();
  const feed = useFeedControls();
  const { replay } = useFeed();
  if (finding !== null) {
    const { from_ms, to_ms } = finding.span;
    return (
      <Button look="primary" size="small" onClick={() => axis.pick({ from_ms: from_ms - MARGIN_MS, to_ms: to_ms + MARGIN_MS })}>
        <Eye size={15} aria-hidden="true" /> Show where it was measured
      </Button>
    );
  }
  if (replay === null || replay.isAtEnd) {
    return (
      <span className={styles.soft}>{why ?? (replay === null ? 'No cluster to run it on.' : 'This step is not in the recording.')}</span>
    );
  }
  return (
    <Button look="primary" size="small" onClick={() => feed.jump(replay.to_ms)}>
      <FastForward size={15} aria-hidden="true" /> Show the whole recording
    </Button>
  );
}

function Findings({ findings, at }: { findings: readonly (Measured | null)[]; at: number }) {
  const most = Math.max(...findings.map((finding) => finding?.committed_per_s ?? 0), 1);
  const hasNatives = findings.some((finding) => (finding?.natives_per_s ?? 0) > 0);
  return (
    <table className={styles.findings}>
      <caption>Measured so far</caption>
      <thead>
        <tr>
          <th scope="col">Step</th>
          <th scope="col">Transactions/s</th>
          {hasNatives && <th scope="col">Natives/s</th>}
          <th scope="col">Retries per commit</th>
          <th scope="col">p99 latency</th>
        </tr>
      </thead>
      <tbody>
        {STEPS.map(({ title, conditions }, index) => {
          const finding = findings[index] ?? null;
          return (
            <tr key={title} className={classes(index === at && styles.now)} title={conditionWords(conditions)}>
              <th scope="row">
                {index + 1} {title}
              </th>
              <td className="figures">
                <span className={styles.track} aria-hidden="true">
                  <span className={styles.share} style={{ width: `${(100 * (finding?.committed_per_s ?? 0)) / most}%` }} />
                </span>
                {figureWords(finding?.committed_per_s ?? null)}
              </td>
              {hasNatives && <td className="figures">{figureWords(finding?.natives_per_s ?? null)}</td>}
              <td className="figures">{figureWords(finding?.retries_per_commit ?? null)}</td>
              <td className="figures">{msWords(finding?.p99_ms ?? null)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
