// Posts: each acknowledged post is on its author's page, once, and has the name of its request. A post without a response is there completely
// or not at all. There are no other posts since the start of the storm.

import { key, parseEntry } from '../../../../apps/retwis/server/model.ts';
import { Findings } from '../../../invariants/findings.ts';
import { groupBy } from '../../../kit/group-by.ts';
import type { TimelinesStorm } from './pages.ts';
import { postId } from './request-names.ts';
import type { Room } from './room.ts';

export const posts: Room<TimelinesStorm> = async (storm) => {
  const findings = new Findings('posts');
  const asked = [...groupBy(storm.writes.post, ({ person_id, facts }) => postId(person_id, facts))];
  const { on } = storm.store;
  const found = await storm.store.all(asked.map(([post_id]) => on.dict(key.post_info(post_id)).get('author_id')));
  const standing: { author_id: string; post_id: string }[] = [];
  asked.forEach(([post_id, lines], i) => {
    const author_id = lines[0].person_id;
    const told = lines.filter(({ certain }) => certain).map(({ facts }) => facts.post_id!);
    for (const id of told) if (id !== post_id) findings.add(key.posts(author_id), `post ${id}, as acknowledged`, `post ${post_id}`);
    const made = found[i]![0] === null ? told : [post_id, ...told];
    for (const id of new Set(made)) standing.push({ author_id, post_id: id });
  });
  await onPages(storm, standing, findings);
  const known = new Set(standing.map(({ post_id }) => post_id));
  for (const [author_id, page] of storm.pages) {
    for (const entry_id of page.keys()) {
      if (parseEntry(entry_id).reposter_id === null && !known.has(entry_id)) {
        findings.add(key.posts(author_id), 'posts of the ledger', `${entry_id}, which no request of the ledger has made`);
      }
    }
  }
  return findings;
};

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
