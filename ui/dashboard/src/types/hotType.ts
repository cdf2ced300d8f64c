// The type of the record that is used most now, as far as anything is used much.
import type { TelemetryStore } from '../store/telemetryStore.ts';

const NOW_MS = 10_000;
/** Visitors of an idle site use records too. */
const LEAST_PER_S = 20;

export interface HotType {
  type: string;
  /** the record */
  key: string;
  operations_per_s: number;
}

export function hotType({ records, newest_ms }: Pick<TelemetryStore, 'records' | 'newest_ms'>): HotType | null {
  if (newest_ms === null) return null;
  const span = { from_ms: newest_ms - NOW_MS, to_ms: newest_ms + 1 };
  const [lane] = records.lanes(span, 'operations', 1);
  if (lane === undefined) return null;
  const operations_per_s = lane.sum(span, 'operations') / (NOW_MS / 1_000);
  return operations_per_s < LEAST_PER_S ? null : { type: lane.type, key: lane.key, operations_per_s };
}
