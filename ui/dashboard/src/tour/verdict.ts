// The effect of a step in a sentence: faster, no difference, or slower and then the usual reason.
import type { Measured } from '../laboratory/measured.ts';
import { figureWords } from '../components/figures.ts';
import type { Step } from './steps.ts';

/** Two runs with the same conditions differ by up to this share on a quiet machine. */
const SAME_WITHIN = 0.15;

/** Null if the step is the first with its load, one of the two was not measured, or nothing was committed in both. */
export function verdictOf(steps: readonly Step[], findings: readonly (Measured | null)[], index: number): string | null {
  const [step, before] = [steps[index], steps[index - 1]];
  const [now, then] = [findings[index]?.committed_per_s, findings[index - 1]?.committed_per_s];
  if (!step || !before || step.spike.spike !== before.spike.spike) return null;
  if (now == null || then == null) return null;
  if (then === 0) return now === 0 ? null : `Nothing was committed in step ${index}, and ${figureWords(now)} per second in this one.`;
  const change = `${figureWords(then)} → ${figureWords(now)} committed per second`;
  if (now > then * (1 + SAME_WITHIN)) return `${change}: ${timesWords(now / then)} as many as in step ${index}.`;
  const how = now < then / (1 + SAME_WITHIN) ? 'this step was slower' : 'this step made no difference';
  return `On this machine, ${how}: ${change}. ${step.otherwise}`;
}

const timesWords = (factor: number) => `${factor >= 10 ? Math.round(factor) : factor.toFixed(1)} times`;
