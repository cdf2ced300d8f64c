// Posts: each acknowledged post is on its author's page, once, and is the one that its draft became. A post without a response is
// there completely or not at all. There are no other posts since the start of the storm.

import { key, parseEntry } from '../../../../apps/retwis/server/model.ts';
import { Findings } from '../../../invariants/findings.ts';
import { groupBy } from '../../../kit/group-by.ts';
import type { Write } from './ledger.ts';
import type { TimelinesStorm } from './pages.ts';
import type { Room } from './room.ts';

type Post = Write<'post'>;

export const posts: Room<TimelinesStorm> = async (storm) => {
  const findings = new Findings('posts');
  const drafts = [...groupBy(storm.writes.post, ({ person_id, facts }) => key.draft(person_id, facts.draft_id)).values()];
  const known = new Set<string>();
  const became = await storm.store.all(
    drafts.map(([{ person_id, facts }]) => storm.store.on.register(key.draft(person_id, facts.draft_id)).get()),
  );
  const standing: { author_id: string; post_id: string }[] = [];
  drafts.forEach((lines, i) => {
    const post_id = became[i] === null ? null : String(became[i]);
    inDraft(lines, post_id, findings);
    for (const id of [post_id, ...lines.map(({ facts }) => facts.post_id ?? null)]) {
      if (id === null || known.has(id)) continue;
      known.add(id);
      standing.push({ author_id: lines[0].person_id, post_id: id });
    }
  });
  await onPages(storm, standing, findings);
  for (const [author_id, page] of storm.pages) {
    for (const entry_id of page.keys()) {
      if (parseEntry(entry_id).reposter_id === null && !known.has(entry_id)) {
        findings.add(key.posts(author_id), 'posts of the ledger', `${entry_id}, which no draft of the ledger became`);
      }
    }
  }
  return findings;
};

/** One draft becomes one post, and all its responses have the same post. */
function inDraft(lines: readonly [Post, ...Post[]], post_id: string | null, findings: Findings): void {
  const told = new Set(lines.filter(({ certain }) => certain).map(({ facts }) => facts.post_id!));
  const [{ person_id, facts }] = lines;
  for (const id of told) {
    if (id !== post_id)
      findings.add(key.draft(person_id, facts.draft_id), `post ${id}, as acknowledged`, post_id === null ? 'none' : `post ${post_id}`);
  }
}

async function onPages(
  { store, before }: TimelinesStorm,
  standing: readonly { author_id: string; post_id: string }[],
  findings: Findings,
): Promise<void> {
  const { on } = store;
  const found = await store.atOnce(
    standing.map(({ author_id, post_id }) => [
      on.scoredSet(key.posts(author_id)).score(post_id),
      on.dict(key.post_info(post_id)).get('author_id', 'posted_at_ms'),
    ]),
  );
  standing.forEach(({ author_id, post_id }, i) => {
    const [score, [author, postedAt]] = found[i] as [number | null, [string | null, number | null]];
    if (score === null) findings.add(key.posts(author_id), `post ${post_id}`, 'nothing');
    if (author !== author_id)
      findings.add(key.post_info(post_id), `a post of ${author_id}`, author === null ? 'nothing' : `one of ${author}`);
    else if (score !== null && postedAt !== -score) findings.add(key.posts(author_id), `post ${post_id} at ${postedAt}`, `it at ${-score}`);
    else if (score !== null && -score < before.at_ms)
      findings.add(key.post_info(post_id), 'a post of the storm', 'one that was there before it');
  });
}
