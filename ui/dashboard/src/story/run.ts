// A run: one spike from its begin to its end or to now, cut at each switch, with the rate of each second.
import { storeStretches } from '../laboratory/stretches.ts';
import type { Span, TelemetryStore } from '../store/telemetryStore.ts';
import { isOfMode } from './cards.ts';
import type { Mode } from './modes.ts';
import { ratesOf } from './spread.ts';
import type { Story } from './stories.ts';

export interface Band {
  span: Span;
  /** null: none of the story's */
  mode: Mode | null;
}

export interface Run {
  span: Span;
  isRunning: boolean;
  bands: readonly Band[];
  rates: readonly { at_ms: number; per_s: number }[];
}

/** The newest run of the story's spike; null: there was none. */
export function newestRun(store: TelemetryStore, story: Story): Run | null {
  const stretches = storeStretches(store);
  const last = stretches.findLastIndex(({ spike }) => spike === story.spike.spike);
  if (last < 0) return null;
  const bands: Band[] = [];
  for (let at = last; at >= 0 && stretches[at]!.spike === story.spike.spike; at -= 1) {
    const stretch = stretches[at]!;
    bands.unshift({ span: stretch.span, mode: story.modes.find((mode) => isOfMode(stretch, story, mode)) ?? null });
    const { mark } = stretch;
    if (mark !== null && 'spike' in mark.what) break;
  }
  const span = { from_ms: bands[0]!.span.from_ms, to_ms: bands.at(-1)!.span.to_ms };
  return { span, isRunning: last === stretches.length - 1, bands, rates: ratesOf(store.totals, span, 'committed') };
}
