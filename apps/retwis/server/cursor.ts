// Cursors: where the next page begins, as text that browsers hand back as they got it.
//
// A cursor names the last thing that was shown, not how many were shown: what comes after it stays so, whatever is posted
// meanwhile, and also when that very thing is gone. It is marked with the list it belongs to: on another list, or cut short,
// it is refused. The mark is no secret: who forges one gets a page of what they may read anyway.
import { createHash } from 'node:crypto';

import type { Place } from './model.ts';

const ENTRY = /^([0-9a-z]{1,9})\.([0-9A-Za-z_.~-]{1,128})$/;
const ID = /^[0-9A-Za-z_-]{1,64}$/;

const MARK_LENGTH = 8;

const mark = (list: string, position: string): string =>
  createHash('sha256').update(`${list}\n${position}`).digest('base64url').slice(0, MARK_LENGTH);

/** The cursor of a position on a list. */
export const cursorOf = (list: string, position: string): string => `${mark(list, position)}.${position}`;

/** Null: it is no cursor of this list. */
export function positionOf(list: string, cursor: string): string | null {
  const position = cursor.slice(MARK_LENGTH + 1);
  return cursor === cursorOf(list, position) ? position : null;
}

// ---- Positions -------------------------------------------------------------------------------------------------------------

/** Behind an entry. */
export const entryPosition = (place: Place): string => `${place.at_ms.toString(36)}.${place.id}`;

/** Null: it was made by nobody here. */
export function parseEntryPosition(position: string): Place | null {
  const found = ENTRY.exec(position);
  return found === null ? null : { at_ms: parseInt(found[1]!, 36), id: found[2]! };
}

/** Behind a person on a list that has no order but that of ids; the position is the id itself. Null: it is none. */
export const parseIdPosition = (position: string): string | null => (ID.test(position) ? position : null);
