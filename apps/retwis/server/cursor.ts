// Cursors: where the next page begins, as text that browsers hand back as they got it.
//
// A cursor names the last thing that was shown, not how many were shown: what comes after it stays so, whatever is posted
// meanwhile, and also when that very thing is gone.
import type { Place } from './model.ts';

const ENTRY = /^([0-9a-z]{1,9})\.([0-9A-Za-z_.~-]{1,128})$/;
const ID = /^[0-9A-Za-z_-]{1,64}$/;

/** Behind an entry. */
export const entryCursor = (place: Place): string => `${place.at_ms.toString(36)}.${place.id}`;

/** Null: it was made by nobody here. */
export function parseEntryCursor(cursor: string): Place | null {
  const found = ENTRY.exec(cursor);
  return found === null ? null : { at_ms: parseInt(found[1]!, 36), id: found[2]! };
}

/** Behind a person on a list that has no order but that of ids; the cursor is the id itself. Null: it is none. */
export const parseIdCursor = (cursor: string): string | null => (ID.test(cursor) ? cursor : null);
