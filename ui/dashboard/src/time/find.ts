// Where a record or a label occurred last, for the search.
import type { TelemetryStore } from '../store/telemetryStore.ts';

export type Found = { kind: 'record'; key: string; at_ms: number } | { kind: 'label'; label: string; at_ms: number; transaction: string };

/** Records by their keys, then transactions by their labels; the newest first. Nothing for an empty text. */
export function find({ records, samples, oldest_ms, newest_ms }: TelemetryStore, typed: string, most: number): Found[] {
  const text = typed.trim().toLowerCase();
  if (text === '' || oldest_ms === null || newest_ms === null) return [];
  const keys = records.usedLast(text, most).map((record): Found => ({ kind: 'record', ...record }));
  const labels = new Map<string, Found>();
  for (const { label, ended_ms, transaction } of samples.list({ from_ms: oldest_ms, to_ms: newest_ms + 1 })) {
    if (!labels.has(label) && label.toLowerCase().includes(text)) {
      labels.set(label, { kind: 'label', label, at_ms: ended_ms, transaction });
    }
  }
  // Labels are few; many records must not hide them.
  const shownLabels = [...labels.values()].slice(0, Math.ceil(most / 2));
  return [...keys.slice(0, most - shownLabels.length), ...shownLabels];
}
