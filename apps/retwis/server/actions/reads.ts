// The reads that the pages of many visitors have in common: from the store each time, or from memory where that is promised
// (../kept-reads.ts).
//
// Each is of one moment between call and return. Results are shared, and must not be changed. A `viewer_id` of null: logged out.
import type { Claret } from '@claret/client';

import type { PersonCard, PostView, UserRef } from '../api.ts';
import type { EntryKey } from '../model.ts';
import { readEntries, readMembers, readNewest, type Scored } from './lists.ts';
import { findUser, viewCard, viewProfile, type ProfileView } from './view-person.ts';
import { viewPost } from './view-post.ts';

export type Reads = {
  /** null: there is no such post */
  post: (post_id: string, viewer_id: string | null) => Promise<PostView | null>;
  /** the first of a TopK, highest first */
  newest: (label: string, record: string, count: number) => Promise<readonly Scored[]>;
  /** a page of a ScoredSet of entries, and one more */
  entries: (label: string, record: string, after: EntryKey | null) => Promise<readonly Scored[]>;
  /** a page of a Set of people, and one more */
  members: (label: string, record: string, after: string | null) => Promise<readonly string[]>;
  /** the person with this username, in any case; null: there is none */
  user: (username: string) => Promise<UserRef | null>;
  /** null: there is no such person */
  profile: (user_id: string, viewer_id: string | null) => Promise<ProfileView | null>;
  card: (user_id: string, viewer_id: string | null) => Promise<PersonCard | null>;
};

export const storeReads = (claret: Claret): Reads => ({
  post: (post_id, viewer_id) => viewPost(claret, { post_id, viewer_id }),
  newest: (label, record, count) => readNewest(claret, label, record, count),
  entries: (label, record, after) => readEntries(claret, label, record, after),
  members: (label, record, after) => readMembers(claret, label, record, after),
  user: (username) => findUser(claret, { username }),
  profile: (user_id, viewer_id) => viewProfile(claret, { user_id, viewer_id }),
  card: (user_id, viewer_id) => viewCard(claret, { user_id, viewer_id }),
});
