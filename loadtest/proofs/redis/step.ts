// A command of a differential test, and what is expected of its replies.

import type { Dice } from './dice.ts';

/** What of a reply is defined. An error is always defined byte by byte. */
export type Comparison =
  | 'bytes'
  /** in any order */
  | 'members'
  | 'pairs'
  | 'scan of members'
  | 'scan of pairs'
  /** the number of elements and their kinds, not what they are */
  | 'shape'
  /** about the same time */
  | 'near seconds'
  | 'near milliseconds';

/** One command, to be sent to both servers. */
export interface Step {
  words: readonly string[];
  comparison: Comparison;
}

/** How commands of one name are made. */
export interface Maker {
  /** the arguments behind the name */
  make: (dice: Dice) => string[];
  comparison?: Comparison;
  /** A word more or less would be one of the things that differ by design. */
  exactly?: true;
  /** It changes a record at random: the record is deleted next, so that both servers have the same again. */
  scatters?: true;
}
