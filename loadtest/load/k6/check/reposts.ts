// The ledger's reposts: the responses to the storm's visitors, for the invariant of reposts (invariants/reposts.ts).

import { key, parseEntry } from '../../../../apps/retwis/server/model.ts';
import { Findings } from '../../../invariants/findings.ts';
import { contradictions, crowdFindings, reposterFindings, repostersAfter, type RepostAction } from '../../../invariants/reposts.ts';
import type { Write } from './ledger.ts';
import type { TimelinesStorm } from './pages.ts';
import type { Room } from './room.ts';

export const reposts: Room<TimelinesStorm> = async ({ data, writes, store, before, alone, pages }) => {
  const findings = new Findings('reposts');
  const actions = [...writes.repost.map(actionOf(false)), ...writes.unrepost.map(actionOf(true))];
  const reposters = repostersAfter(actions, before.reposted);
  findings.addAll(contradictions(reposters.values()));
  findings.addAll(await reposterFindings(store, reposters.values()));
  const posts = new Set(actions.map(({ post_id }) => post_id));
  if (data.hot_post !== null) posts.add(data.hot_post.id);
  findings.addAll(
    await crowdFindings(store, {
      post_ids: [...posts],
      reposters,
      before: before.reposted,
      people: new Set(data.timeline_people.map(({ id }) => id)),
      since_ms: before.at_ms,
      others: !alone,
    }),
  );
  for (const [person_id, page] of pages) {
    for (const entry_id of page.keys()) {
      if (parseEntry(entry_id).reposter_id !== null && !reposters.has(entry_id))
        findings.add(key.posts(person_id), 'reposts of the ledger', `${entry_id}, which is none`);
    }
  }
  return findings;
};

const actionOf =
  (undo: boolean) =>
  ({ person_id, certain, facts }: Write<'repost' | 'unrepost'>): RepostAction => ({
    post_id: facts.post,
    user_id: person_id,
    undo,
    certain,
  });
