// The reads of lists, each of one record: the newest of a TopK, a page of entries, a page of members.
import type { Claret, Integer } from '@claret/client';

import { LIMITS } from '../api.ts';
import { SCORE_MAX, SCORE_MIN, scoreAt, type EntryKey } from '../model.ts';

export type Scored = readonly [id: string, score: Integer];

/** `label` names the transaction, here and below. */
export async function readNewest(claret: Claret, label: string, record: string, count: number): Promise<readonly Scored[]> {
  const [newest] = await claret.transact(label, [claret.on.topK(record).top(count)]);
  return newest;
}

/** What a page needs of a ScoredSet of entries, and one more, as the arguments of rangeByScore. `after`: the last entry before. */
export const pageOfEntries = (after: EntryKey | null) =>
  [after === null ? SCORE_MIN : scoreAt(after.at_ms), SCORE_MAX, LIMITS.page_size + 1, after === null ? null : after.id] as const;

export async function readEntries(claret: Claret, label: string, record: string, after: EntryKey | null): Promise<readonly Scored[]> {
  const [found] = await claret.transact(label, [claret.on.scoredSet(record).rangeByScore(...pageOfEntries(after))]);
  return found;
}

/** What a page needs of a Set of people, and one more. */
export const MEMBERS_MAX = LIMITS.people_page_size + 1;

export async function readMembers(claret: Claret, label: string, record: string, after: string | null): Promise<readonly string[]> {
  const [found] = await claret.transact(label, [claret.on.set(record).members(MEMBERS_MAX, after)]);
  return found;
}
