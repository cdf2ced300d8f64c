// Screen: the width of the output, and its colours.

import picocolors from 'picocolors';
import type { Terminal } from './terminal.ts';

export interface Screen {
  readonly columns: number;
  readonly colours: ReturnType<typeof picocolors.createColors>;
}

/** Colours are used on a terminal that has them or with FORCE_COLOR, but never with `--no-color` or NO_COLOR. */
export function hasColours({ env, isTerminal }: Terminal, wanted: boolean): boolean {
  if (!wanted || (env['NO_COLOR'] ?? '') !== '') return false;
  if ((env['FORCE_COLOR'] ?? '') !== '') return env['FORCE_COLOR'] !== '0';
  return isTerminal && env['TERM'] !== 'dumb';
}

export function screenOf(terminal: Terminal, wanted: boolean): Screen {
  return { columns: terminal.size().columns, colours: picocolors.createColors(hasColours(terminal, wanted)) };
}
