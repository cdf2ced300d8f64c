// What is open in a dialog: one transaction, or one pair of transactions. A frozen pair is of a matrix that this browser keeps.
import { useSyncExternalStore } from 'react';
import type { Pair } from '../views/conflicts/conflictMatrix.ts';

export type Opened = { transaction: string } | { pair: Pair; isFrozen: boolean };

let opened: Opened | null = null;
const listeners = new Set<() => void>();

/** Null: closes what is open. */
export function open(next: Opened | null): void {
  if (next === opened) return;
  opened = next;
  for (const listener of listeners) listener();
}

export const openedNow = (): Opened | null => opened;

export function onOpened(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Renders again when something is opened or closed. */
export const useOpened = (): Opened | null => useSyncExternalStore(onOpened, openedNow);
