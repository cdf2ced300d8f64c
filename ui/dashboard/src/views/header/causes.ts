// The names and looks of states in which transactions spend time. Order and pattern distinguish states without colour.
import { modeLook } from '../../chart/modes.ts';
import type { Palette } from '../../chart/palette.ts';
import type { GlossaryWord } from '../../components/glossary.ts';
import { HELD } from '../../store/epochParts.ts';
import { runOf } from '../../store/runs.ts';
import { RUNNING } from './figuresShown.ts';

export interface CauseLook {
  words: string;
  /** what the state comprises */
  about: string;
  /** its word in the glossary; null: none */
  term: GlossaryWord | null;
  /** distance of hatching lines in px; 0: solid */
  hatch: number;
  colour(palette: Palette): string;
  /** the colour as a CSS variable */
  token: string;
}

const KNOWN: Record<string, CauseLook> = {
  [RUNNING]: {
    words: 'running',
    about: 'Running and voting at the shards, or being worked on by the app server.',
    term: null,
    hatch: 0,
    colour: ({ lineStrong }) => lineStrong,
    token: '--line-strong',
  },
  lock_wait: {
    words: 'waiting for a holder',
    about: 'Another transaction holds the record with an operation that does not commute with this one.',
    term: 'holder',
    hatch: 0,
    colour: ({ accent }) => accent,
    token: '--accent',
  },
  phase_wait: {
    words: 'waiting for a phase',
    about: 'The phase has reached its time limit, so that older waiters go first.',
    term: 'phase',
    hatch: 5,
    colour: ({ warn }) => warn,
    token: '--warn',
  },
  warranty_wait: {
    words: 'behind a warranty',
    about: 'It would change a result that clients have been promised, and waits until they have returned the promise.',
    term: 'warranty',
    hatch: 6,
    colour: ({ good }) => good,
    token: '--good',
  },
  epoch_wait: {
    words: 'behind an epoch',
    about: 'Members of an epoch hold one of its records, until their turn has ended.',
    term: 'epoch',
    hatch: 8,
    colour: (palette) => palette.mode(HELD).colour,
    token: modeLook(HELD).token,
  },
  turn: {
    words: 'waiting for a turn',
    about: 'Sent whole, and not executed yet: another client’s transactions are being decided on one of its records.',
    term: 'turn',
    hatch: 4,
    colour: (palette) => palette.mode(runOf('')).colour,
    token: modeLook(runOf('')).token,
  },
  queued: {
    words: 'queued',
    about: 'Waiting at the app server, which lets fewer transactions on a hot record run at a time.',
    term: null,
    hatch: 7,
    colour: ({ inkFaint }) => inkFaint,
    token: '--ink-faint',
  },
  thrown_away: {
    words: 'thrown away',
    about: 'Work of attempts that aborted: all of it has to be done again.',
    term: 'thrown away',
    hatch: 3,
    colour: ({ bad }) => bad,
    token: '--bad',
  },
  backing_off: {
    words: 'backing off',
    about: 'Waiting a short random time after an abort, before the next attempt.',
    term: 'backing off',
    hatch: 9,
    colour: ({ highlight }) => highlight,
    token: '--highlight',
  },
};

export function causeLook(name: string): CauseLook {
  return (
    KNOWN[name] ?? {
      words: name.replaceAll('_', ' '),
      about: 'Another cause of waits.',
      term: null,
      hatch: 9,
      colour: ({ inkFaint }) => inkFaint,
      token: '--ink-faint',
    }
  );
}
