// The trace of a run, if one is wanted: what its processes say, when they start and end, and what happens to them, with the times. It shows how
// something came about that a run has found.

import { openSync, writeSync } from 'node:fs';

const CHARACTERS_MAX = 400;

let file: number | undefined;

export function traceTo(path: string): void {
  file = openSync(path, 'w');
}

export function trace(who: string, what: string): void {
  if (file !== undefined) writeSync(file, `${new Date().toISOString()} ${who}: ${what.slice(0, CHARACTERS_MAX)}\n`);
}
