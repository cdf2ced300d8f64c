// The guided tour: one step at a time, over the instrument, which shows what it tells. What it measures it keeps in a table.
import { Button, classes } from '@claret/ui/kit';
import { ArrowLeft, ArrowRight, Eye, FastForward, Play, X } from 'lucide-react';
import { useRef } from 'react';
import type { Conditions } from '../../../telemetry/frame.ts';
import { useFeed, useFeedControls } from '../feed/useFeed.tsx';
import { conditionWords } from '../laboratory/conditions.ts';
import type { Measured } from '../laboratory/measured.ts';
import { useLaboratory } from '../laboratory/useLaboratory.tsx';
import { figureWords, msWords } from '../parts/figures.ts';
import { useTelemetry, useTimeAxis } from '../time/useTimeAxis.tsx';
import { findingsOf } from './findings.ts';
import { STEPS, type Step } from './steps.ts';
import styles from './Tour.module.css';
import { useTour } from './useTour.ts';

/** What a step's span is shown with on both sides. */
const MARGIN_MS = 2_000;

export function Tour() {
  const { step, go } = useTour();
  const laboratory = useLaboratory();
  const conditions = useTelemetry((store) => store.conditions);
  const before = useRef<Conditions | null>(null);
  const findings = useTelemetry((store) => (step === null ? [] : findingsOf(store, STEPS)));
  if (step === null) return null;
  const close = () => {
    go(null);
    if (before.current && laboratory.closed === null) void laboratory.switchTo(before.current);
    before.current = null;
    // The button that had the focus is gone.
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  const remember = () => (before.current ??= conditions);
  const { title, tell, look } = STEPS[step]!;
  return (
    <section className={styles.tour} aria-label="Guided tour">
      <div className={styles.story}>
        <p className={styles.count}>
          Step {step + 1} of {STEPS.length}
        </p>
        <h2 className={styles.title}>{title}</h2>
        <p className={styles.tell}>{tell}</p>
        <p className={styles.look}>
          <Eye size={16} aria-hidden="true" /> <span>{look}</span>
        </p>
        <div className={styles.actions}>
          <RunStep key={step} step={STEPS[step]!} finding={findings[step] ?? null} onRun={remember} />
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
  onRun(): void;
}

function RunStep({ step, finding, onRun }: RunStepProps) {
  const { closed, spikes, noSpikes, isBusy, switchTo, start } = useLaboratory();
  const axis = useTimeAxis();
  if (closed !== null || spikes === null) return <FindStep finding={finding} why={closed === null ? noSpikes : null} />;
  const run = async () => {
    onRun();
    axis.follow();
    if (await switchTo(step.conditions)) await start(step.spike);
  };
  const isRunning = spikes.running !== null;
  return (
    <Button look="primary" size="small" isBusy={isBusy || isRunning} onClick={() => void run()}>
      <Play size={15} aria-hidden="true" /> {isRunning ? 'The crowd is there' : finding ? 'Run it again' : `Run it for ${step.spike.seconds} s`}
    </Button>
  );
}

/** Where nothing can be run: where the step was measured in what is shown, or that it was not. */
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
    return <span className={styles.soft}>{why ?? (replay === null ? 'There is no cluster to run it on.' : 'The recording does not have this step.')}</span>;
  }
  return (
    <Button look="primary" size="small" onClick={() => feed.jump(replay.to_ms)}>
      <FastForward size={15} aria-hidden="true" /> Look at the whole recording
    </Button>
  );
}

function Findings({ findings, at }: { findings: readonly (Measured | null)[]; at: number }) {
  const most = Math.max(...findings.map((finding) => finding?.committed_per_s ?? 0), 1);
  return (
    <table className={styles.findings}>
      <caption>Measured on the way</caption>
      <thead>
        <tr>
          <th scope="col">Step</th>
          <th scope="col">Committed/s</th>
          <th scope="col">Retries per commit</th>
          <th scope="col">p99</th>
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
              <td className="figures">{figureWords(finding?.retries_per_commit ?? null)}</td>
              <td className="figures">{msWords(finding?.p99_ms ?? null)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
