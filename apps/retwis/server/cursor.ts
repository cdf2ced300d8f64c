// Cursors: where the next page begins, as text that browsers return unchanged.
//
// A cursor names the last entry that was shown, not a count: the entries after it stay the same, whatever is posted in the meantime, and
// also if that entry is removed. It carries a tag of the list it belongs to: for another list, or truncated, it is refused. The tag is no
// secret: a forged cursor gives a page that its sender may read anyway.
import { createHash } from 'node:crypto';

import type { EntryKey } from './model.ts';

const ENTRY = /^([0-9a-z]{1,9})\.([0-9A-Za-z_.~-]{1,128})$/;
const ID = /^[0-9A-Za-z_-]{1,64}$/;

const MARK_LENGTH = 8;

const mark = (list: string, position: string): string =>
  createHash('sha256').update(`${list}\n${position}`).digest('base64url').slice(0, MARK_LENGTH);

/** the cursor of a position in a list */
export const cursorOf = (list: string, position: string): string => `${mark(list, position)}.${position}`;

/** Null: not a cursor of this list. */
export function positionOf(list: string, cursor: string): string | null {
  const position = cursor.slice(MARK_LENGTH + 1);
  return cursor === cursorOf(list, position) ? position : null;
}

// ---- Positions -------------------------------------------------------------------------------------------------------------

/** the position after an entry */
export const entryPosition = (entry: EntryKey): string => `${entry.at_ms.toString(36)}.${entry.id}`;

/** Null: malformed. */
export function parseEntryPosition(position: string): EntryKey | null {
  const found = ENTRY.exec(position);
  return found === null ? null : { at_ms: parseInt(found[1]!, 36), id: found[2]! };
}

/** The position after a person in a list that is ordered by id; the position is the id itself. Null: malformed. */
export const parseIdPosition = (position: string): string | null => (ID.test(position) ? position : null);
