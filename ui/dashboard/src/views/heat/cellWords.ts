// A cell of the heatmap in words.

import { figureWords } from '../../components/figures.ts';
import type { RecordLane, TelemetryStore } from '../../store/telemetryStore.ts';
import { isUnwatched } from '../../store/watched.ts';
import { clockTime, durationWords } from '../../time/ticks.ts';
import { knownTime_ms } from './heatGrid.ts';

export interface Cell {
  lane: RecordLane;
  from_ms: number;
  column_ms: number;
}

/** Line by line, without the record's key. */
export function cellWords(
  { lane, from_ms, column_ms }: Cell,
  { totals, newest_ms }: Pick<TelemetryStore, 'totals' | 'newest_ms'>,
): string[] {
  const counts = lane.counts({ from_ms, to_ms: from_ms + column_ms });
  const known_ms = newest_ms === null ? 0 : knownTime_ms(from_ms, column_ms, newest_ms);
  const time = `${durationWords(column_ms)} from ${clockTime(from_ms, column_ms < 1_000)}`;
  if (known_ms === 0) return [time, 'Not known yet'];
  if (isUnwatched(totals, { from_ms, to_ms: from_ms + column_ms })) return [time, 'Not known: no dashboard was open'];
  const rate = (count: number) => figureWords((count * 1_000) / known_ms);
  return [
    `${lane.type}, shard ${lane.shard}`,
    time,
    `${rate(counts.operations)} operations/s`,
    `${rate(counts.conflicts)} conflicts/s`,
    `${rate(counts.waits)} waits/s, ${rate(counts.waitMs)} ms of waiting/s`,
  ];
}
