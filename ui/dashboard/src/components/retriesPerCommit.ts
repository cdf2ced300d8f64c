import type { Span } from '../store/span.ts';
import type { TelemetryStore } from '../store/telemetryStore.ts';

/** null without commits */
export function retriesPerCommit({ totals }: Pick<TelemetryStore, 'totals'>, span: Span): number | null {
  const committed = totals.sum(span, 'committed');
  return committed > 0 ? totals.sum(span, 'retries') / committed : null;
}
