// What the routes that answer pages share.
import type { People } from '../actions/people.ts';
import type { Entries } from '../actions/view-page.ts';
import type { EntryPage, PeoplePage } from '../api.ts';
import { entryCursor, parseEntryCursor, parseIdCursor } from '../cursor.ts';
import type { Place } from '../model.ts';
import { RequestProblem } from '../problem.ts';

/** Null: from the beginning. */
export const entriesAfter = (cursor: string | undefined): Place | null => parsed(cursor, parseEntryCursor);
export const peopleAfter = (cursor: string | undefined): string | null => parsed(cursor, parseIdCursor);

function parsed<Position>(cursor: string | undefined, parse: (cursor: string) => Position | null): Position | null {
  if (cursor === undefined) return null;
  const position = parse(cursor);
  if (position === null) throw new RequestProblem('invalid_cursor', { field: 'cursor' });
  return position;
}

export const entryPage = ({ entries, next }: Entries): EntryPage => ({
  entries,
  next_cursor: next === null ? null : entryCursor(next),
  server_time_ms: Date.now(),
});

export const peoplePage = ({ people, next }: People): PeoplePage => ({ people, next_cursor: next, server_time_ms: Date.now() });
