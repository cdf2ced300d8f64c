// Shortcuts of a single key can be switched off (WCAG 2.1.4): people who dictate, or whose hands slip, press keys that they do not mean. The browser
// remembers the choice.
import { useSyncExternalStore } from 'react';

const NAME = 'claret-single-keys';
const OFF = 'off';
const listeners = new Set<() => void>();
let areOn = readOn();

function readOn(): boolean {
  try {
    return localStorage.getItem(NAME) !== OFF;
  } catch {
    return true; // storage is blocked, or there is none
  }
}

export const areKeysOn = (): boolean => areOn;

export function toggleKeys(): void {
  areOn = !areOn;
  try {
    if (areOn) localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, OFF);
  } catch {
    // They are so for as long as the page is open.
  }
  for (const listener of listeners) listener();
}

export const useKeysOn = (): boolean =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, areKeysOn);
