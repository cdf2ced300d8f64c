// The selected record: chosen in one view, highlighted in all views.
import { useSyncExternalStore } from 'react';

let selected: string | null = null;
const listeners = new Set<() => void>();

/** Selects a record by its key; null: none. */
export function selectRecord(key: string | null): void {
  if (key === selected) return;
  selected = key;
  for (const listener of listeners) listener();
}

export const selectedRecordNow = (): string | null => selected;

export function onSelectedRecord(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The selected record's key; renders again when the selection changes. */
export function useSelectedRecord(): string | null {
  return useSyncExternalStore(onSelectedRecord, selectedRecordNow);
}
