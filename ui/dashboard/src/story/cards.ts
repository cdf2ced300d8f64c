// The cards of a story: what was measured under each of its modes, in the newest stretch of time under that mode and load that is long
// enough. A stretch has one set of figures, over its whole time after it has settled: the page shows no others of it.
import { areSame } from '../laboratory/conditions.ts';
import { SETTLING_MS, storeStretches, type Stretch } from '../laboratory/stretches.ts';
import type { Span, TelemetryStore } from '../store/telemetryStore.ts';
import { ratesOf, spreadOf, type Spread } from './spread.ts';
import type { Mode } from './modes.ts';
import type { Story } from './stories.ts';

/** Until then a stretch is being measured: what it would show changes too much. */
export const MEASURED_AFTER_MS = 3_000;

export interface Figures {
  /** when the load began: figures of different runs are not compared */
  run_ms: number;
  /** the time that all of them cover */
  span: Span;
  committed_per_s: number;
  /** of the seconds within the span */
  spread: Spread;
  natives_per_s: number;
  /** tries that were thrown away, for each commit */
  lost_per_commit: number;
  /** time that was waited, spent between tries or in tries that were thrown away, for each commit */
  waited_ms_per_commit: number;
  p99_ms: number | null;
}

export type Card =
  /** never measured */
  | { state: 'empty' }
  /** since less than MEASURED_AFTER_MS */
  | { state: 'measuring' }
  | { state: 'measured'; figures: Figures; isRunning: boolean };

export const EMPTY: Card = { state: 'empty' };

export function isOfMode({ spike, conditions }: Stretch, story: Story, mode: Mode): boolean {
  return spike === story.spike.spike && conditions !== null && areSame(conditions, mode.conditions);
}

export function cardsOf(store: TelemetryStore, story: Story): Card[] {
  const stretches = storeStretches(store);
  const now = stretches.at(-1);
  return story.modes.map((mode): Card => {
    // A stretch whose beginning telemetry has forgotten would have other figures each second.
    const own = stretches.filter((stretch) => stretch.mark !== null && isOfMode(stretch, story, mode));
    const isRunning = now !== undefined && own.at(-1) === now;
    if (isRunning && isShort(now)) return { state: 'measuring' };
    const stretch = own.findLast((one) => !isShort(one));
    const figures = stretch === undefined ? null : figuresOf(store, stretch);
    return figures === null ? EMPTY : { state: 'measured', figures, isRunning: isRunning && stretch === now };
  });
}

const isShort = ({ span }: Stretch) => span.to_ms - span.from_ms < MEASURED_AFTER_MS;

/** Null without telemetry, or if nothing was committed. */
export function figuresOf(store: TelemetryStore, stretch: Stretch): Figures | null {
  const { totals } = store;
  const span = { from_ms: stretch.span.from_ms + SETTLING_MS, to_ms: stretch.span.to_ms };
  const committed_per_s = totals.perSecond(span, 'committed');
  const spread = spreadOf(ratesOf(totals, span, 'committed').map(({ per_s }) => per_s));
  const commits = totals.sum(span, 'committed');
  if (committed_per_s === null || spread === null || commits === 0) return null;
  return {
    run_ms: beginOf(store, stretch),
    span,
    committed_per_s,
    spread,
    natives_per_s: totals.perSecond(span, 'natives') ?? 0,
    // A member that is taken out goes again, and does not count as a retry.
    lost_per_commit: (totals.sum(span, 'retries') + totals.sum(span, 'withdrawn')) / commits,
    waited_ms_per_commit: waited_ms(store, span) / commits,
    p99_ms: totals.latency(span, 0.99),
  };
}

const beginOf = ({ marks }: TelemetryStore, { span }: Stretch): number =>
  marks.findLast(({ at_ms, what }) => at_ms <= span.from_ms && 'spike' in what && what.spike === 'began')?.at_ms ?? span.from_ms;

/** All states of transactions but running. */
function waited_ms({ totals }: TelemetryStore, span: Span): number {
  const [first, end] = [totals.first(span), totals.end(span)];
  let sum_ms = 0;
  for (const cause of totals.causes()) for (let tick = first; tick < end; tick += 1) sum_ms += totals.waited(tick, cause);
  return sum_ms;
}
