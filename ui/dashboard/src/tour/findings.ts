// The measurement of each step of the tour: in the newest stretch of time under the step's conditions and spike, live or in a
// recording. A step that was not run, or that the recording does not have, has no figures.
import { areSame } from '../laboratory/conditions.ts';
import { measureStretch, storeStretches, type Measured } from '../laboratory/measured.ts';
import type { TelemetryStore } from '../store/telemetryStore.ts';
import type { Step } from './steps.ts';

/** Shorter stretches are ignored. */
const FINDING_MS_MIN = 3_000;

export function findingsOf(store: TelemetryStore, steps: readonly Step[]): (Measured | null)[] {
  const stretches = storeStretches(store);
  return steps.map(({ conditions, spike }) => {
    const stretch = stretches.findLast(
      ({ conditions: under, spike: running, span }) =>
        running === spike.spike && under !== null && areSame(under, conditions) && span.to_ms - span.from_ms >= FINDING_MS_MIN,
    );
    return stretch ? measureStretch(store, stretch) : null;
  });
}
