// ViewUser: a person with rating, newest comments, and the items they sell now.
//
// First what the person's own shard has (user-records.ts), then the cards of the items.
import type { Claret } from '@claret/client';

import { LIMITS, type CommentView, type ItemCard, type RatingSummary } from '../api.ts';
import { key } from '../model.ts';
import { firstStart, openEntries } from './open-lists.ts';
import { refuse, type Outcome } from './outcome.ts';
import { readListed, storeReads, type Reads } from './reads.ts';
import type { ProfileView } from './user-records.ts';

export type UserPage = {
  user: ProfileView;
  rating: RatingSummary;
  comments: CommentView[];
  selling: ItemCard[];
};

export async function viewUser(
  claret: Claret,
  input: { user_id: string; now_ms: number },
  reads: Reads = storeReads(claret),
): Promise<Outcome<{ page: UserPage }, 'unknown_user'>> {
  const { user_id, now_ms } = input;
  const found = await reads.user(user_id, firstStart(now_ms));
  if (found === null) return refuse('unknown_user');
  const { selling, ...person } = found;
  const open = await openEntries(
    async (start) => (start.after === null ? selling : reads.entries('ViewUser', key.selling(user_id), start)),
    { after: null, now_ms },
  );
  const cards = await readListed(
    reads,
    'ViewUser',
    open.slice(0, LIMITS.page_size).map(([item_id]) => item_id),
  );
  // A sold-out item stays on the list until its end.
  return { refused: null, page: { ...person, selling: cards.filter(({ status }) => status === 'open') } };
}
