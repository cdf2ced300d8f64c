// Lists of people.
//
// A list is one read of one record. Each card is then a transaction of its own on that person's shard, like each post of a timeline: one
// transaction over thirty people would lock the follower lists of all of them until the busiest is free.
import type { Claret } from '@claret/client';

import { LIMITS, type PersonCard } from '../api.ts';
import { key } from '../model.ts';
import { storeReads, type Reads } from './reads.ts';

export type People = {
  people: PersonCard[];
  /** the last id considered; null: there are no more */
  next: string | null;
};

export type PeopleInput = {
  /** the last id of the page before */
  after: string | null;
  viewer_id: string | null;
};

export const followersPage = (claret: Claret, user_id: string, input: PeopleInput, reads?: Reads): Promise<People> =>
  peoplePage(reads ?? storeReads(claret), 'Followers', key.followers(user_id), input);

export const followingPage = (claret: Claret, user_id: string, input: PeopleInput, reads?: Reads): Promise<People> =>
  peoplePage(reads ?? storeReads(claret), 'Following', key.following(user_id), input);

export const repostersPage = (claret: Claret, post_id: string, input: PeopleInput, reads?: Reads): Promise<People> =>
  peoplePage(reads ?? storeReads(claret), 'Reposters', key.post_reposts(post_id), input);

/** The newest people, newest first; one page. */
export async function newestPeople(
  claret: Claret,
  input: { viewer_id: string | null },
  reads: Reads = storeReads(claret),
): Promise<PersonCard[]> {
  const newest = await reads.newest('NewestPeople', key.newest_users, LIMITS.people_page_size);
  return cardsOf(
    reads,
    newest.map(([user_id]) => user_id),
    input.viewer_id,
  );
}

async function peoplePage(reads: Reads, label: string, record: string, { after, viewer_id }: PeopleInput): Promise<People> {
  const found = await reads.members(label, record, after);
  const shown = found.slice(0, LIMITS.people_page_size);
  return { people: await cardsOf(reads, shown, viewer_id), next: found.length > shown.length ? shown.at(-1)! : null };
}

/** In the given order, without people who do not exist. */
async function cardsOf({ card }: Reads, user_ids: readonly string[], viewer_id: string | null): Promise<PersonCard[]> {
  const cards = await Promise.all(user_ids.map((user_id) => card(user_id, viewer_id)));
  return cards.filter((one) => one !== null);
}
