// Shared by the routes that answer pages. A list has a name, so that another list refuses its cursors.
import type { Claret } from '@claret/client';

import type { People } from '../actions/people.ts';
import type { Entries } from '../actions/view-page.ts';
import type { EntryPage, PeoplePage } from '../api.ts';
import { cursorOf, entryPosition, parseEntryPosition, parseIdPosition, positionOf } from '../cursor.ts';
import type { EntryKey } from '../model.ts';
import { RequestProblem } from '../problem.ts';

export type ListName =
  | 'latest'
  | `${'timeline' | 'reposters'} ${string}` // an id
  | `tag ${string}` // in lower case
  | `${'posts' | 'followers' | 'following'} ${Lowercase<string>}`; // a username

/** Null: from the beginning. */
export function entriesAfter(list: ListName, cursor: string | undefined): EntryKey | null {
  return after(list, cursor, parseEntryPosition);
}

/** Null: from the beginning. */
export function peopleAfter(list: ListName, cursor: string | undefined): string | null {
  return after(list, cursor, parseIdPosition);
}

function after<Position>(list: ListName, cursor: string | undefined, parse: (position: string) => Position | null): Position | null {
  if (cursor === undefined) return null;
  const position = positionOf(list, cursor);
  const parsed = position === null ? null : parse(position);
  if (parsed === null) throw new RequestProblem('invalid_cursor', { field: 'cursor' });
  return parsed;
}

export function entryPage({ clock }: Claret, list: ListName, { entries, next }: Entries): EntryPage {
  const next_cursor = next === null ? null : cursorOf(list, entryPosition(next));
  return { entries, next_cursor, server_time_ms: clock.nowMs() };
}

export function peoplePage({ clock }: Claret, list: ListName, { people, next }: People): PeoplePage {
  const next_cursor = next === null ? null : cursorOf(list, next);
  return { people, next_cursor, server_time_ms: clock.nowMs() };
}
