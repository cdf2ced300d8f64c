// How time is spent, in words and looks. Order and pattern tell causes apart where colour does not.
import type { Palette } from '../../chart/palette.ts';
import { RUNNING } from './figuresShown.ts';

export interface CauseLook {
  words: string;
  /** what it comprises */
  about: string;
  /** distance of hatching lines in px; 0: plain */
  hatch: number;
  colour(palette: Palette): string;
  /** the same as a CSS variable */
  token: string;
}

const KNOWN: Record<string, CauseLook> = {
  [RUNNING]: { words: 'running, or between attempts', about: 'Running and voting, pauses before another attempt, and waiting at the app server.', hatch: 0, colour: ({ lineStrong }) => lineStrong, token: '--line-strong' },
  lock_wait: { words: 'waiting for a holder', about: 'Another transaction holds what does not commute with it.', hatch: 0, colour: ({ accent }) => accent, token: '--accent' },
  phase_wait: { words: 'waiting for its turn', about: 'The phase has reached its cap, and older ones wait in front.', hatch: 5, colour: ({ warn }) => warn, token: '--warn' },
};

export function causeLook(name: string): CauseLook {
  return KNOWN[name] ?? { words: name.replaceAll('_', ' '), about: 'Another cause of waits.', hatch: 9, colour: ({ inkFaint }) => inkFaint, token: '--ink-faint' };
}
