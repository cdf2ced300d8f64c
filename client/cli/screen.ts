// Screen: the width of the output, and its colours, if it has any.

import picocolors from 'picocolors';
import type { Terminal } from './terminal.ts';

export interface Screen {
  readonly columns: number;
  readonly colours: ReturnType<typeof picocolors.createColors>;
}

/** Colours only on a terminal that has them, and not where somebody said no (`--no-color`, NO_COLOR; FORCE_COLOR says yes). */
export function hasColours({ env, isTerminal }: Terminal, wanted: boolean): boolean {
  if (!wanted || (env['NO_COLOR'] ?? '') !== '') return false;
  if ((env['FORCE_COLOR'] ?? '') !== '') return env['FORCE_COLOR'] !== '0';
  return isTerminal && env['TERM'] !== 'dumb';
}

export function screenOf(terminal: Terminal, wanted: boolean): Screen {
  return { columns: terminal.size().columns, colours: picocolors.createColors(hasColours(terminal, wanted)) };
}
