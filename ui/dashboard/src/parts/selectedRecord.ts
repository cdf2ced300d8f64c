// The record that is looked at more closely: chosen in one view, highlighted in all of them.
import { useSyncExternalStore } from 'react';

let selected: string | null = null;
const listeners = new Set<() => void>();

/** By its key; null: none. */
export function selectRecord(key: string | null): void {
  if (key === selected) return;
  selected = key;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Its key; renders again when another one is selected. */
export function useSelectedRecord(): string | null {
  return useSyncExternalStore(subscribe, () => selected);
}
