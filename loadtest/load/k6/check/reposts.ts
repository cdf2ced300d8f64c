// Reposts: who has reposted a post is counted once and has it once on the own page, or neither.
//
// What somebody did to one post must add up, whatever the order: before the storm they had reposted it or not (0 or 1), each
// acknowledged repost adds one and each acknowledged undoing takes one away, each of which the answer was lost may do so; what
// comes out is 0 or 1. So two acknowledged reposts by one person without an undoing between are found even if one is left.

import { key, parseEntry, repostEntry, timeOf } from '../../../../apps/retwis/server/model.ts';
import { Findings } from '../../../invariants/findings.ts';
import type { TimelinesStorm } from './pages.ts';
import type { Room } from './room.ts';

interface Pair {
  post_id: string;
  person_id: string;
  /** as it must be now, in so far as the ledger tells; empty: it contradicts itself */
  may_be: readonly boolean[];
}

export const reposts: Room<TimelinesStorm> = async (storm) => {
  const findings = new Findings('reposts');
  const pairs = pairsOf(storm);
  for (const { post_id, person_id, may_be } of pairs.values()) {
    if (may_be.length === 0)
      findings.add(key.post_reposts(post_id), `reposts and undoings by ${person_id} in turn`, 'that more of one kind were acknowledged');
  }
  await ofPairs(storm, pairs, findings);
  await ofCrowds(storm, pairs, findings);
  for (const [person_id, page] of storm.pages) {
    for (const entry_id of page.keys()) {
      if (parseEntry(entry_id).reposter_id !== null && !pairs.has(entry_id))
        findings.add(key.posts(person_id), 'reposts of the ledger', `${entry_id}, which is none`);
    }
  }
  return findings;
};

/** By entry. */
function pairsOf({ writes, before }: TimelinesStorm): Map<string, Pair> {
  const ranges = new Map<string, { post_id: string; person_id: string; least: number; most: number }>();
  for (const [kind, step] of [
    ['repost', 1],
    ['unrepost', -1],
  ] as const) {
    for (const { certain, person_id, facts } of writes[kind]) {
      const entry_id = repostEntry(facts.post, person_id);
      const first = before.reposted.has(entry_id) ? 1 : 0;
      const range = ranges.get(entry_id) ?? { post_id: facts.post, person_id, least: first, most: first };
      if (certain || step < 0) range.least += step;
      if (certain || step > 0) range.most += step;
      ranges.set(entry_id, range);
    }
  }
  return new Map(
    [...ranges].map(([entry_id, { post_id, person_id, least, most }]) => {
      const may_be = [0, 1].filter((one) => least <= one && one <= most).map((one) => one === 1);
      return [entry_id, { post_id, person_id, may_be }];
    }),
  );
}

async function ofPairs({ store }: TimelinesStorm, pairs: ReadonlyMap<string, Pair>, findings: Findings): Promise<void> {
  const { on } = store;
  const found = await store.atOnce(
    [...pairs].map(([entry_id, { post_id, person_id }]) => [
      on.set(key.post_reposts(post_id)).contains(person_id),
      on.scoredSet(key.posts(person_id)).score(entry_id),
    ]),
  );
  [...pairs].forEach(([entry_id, { post_id, person_id, may_be }], i) => {
    const [counted, listed] = [found[i]![0] === true, found[i]![1] !== null];
    const wanted = may_be.length === 1 ? may_be[0]! : counted;
    if (may_be.length === 0) return;
    if (counted !== wanted)
      findings.add(
        key.post_reposts(post_id),
        `it ${wanted ? 'with' : 'without'} ${person_id}, as acknowledged`,
        counted ? 'them among it' : 'them not among it',
      );
    if (listed !== wanted)
      findings.add(key.posts(person_id), `it ${wanted ? 'with' : 'without'} ${entry_id}`, listed ? 'it there' : 'it not there');
  });
}

/** Of the posts that the storm reposted, and of the famous one: those who are counted without a line of the ledger. */
async function ofCrowds(
  { data, writes, store, before, alone }: TimelinesStorm,
  pairs: ReadonlyMap<string, Pair>,
  findings: Findings,
): Promise<void> {
  const posts = new Set([writes.repost, writes.unrepost].flat().map(({ facts }) => facts.post));
  if (data.hot_post !== null) posts.add(data.hot_post.id);
  const people = new Set(data.timeline_people.map(({ id }) => id));
  const post_ids = [...posts];
  let next = 0;
  for await (const [record, members] of store.sets(post_ids.map(key.post_reposts))) {
    const post_id = post_ids[next++]!;
    const others = members.filter((person_id) => !pairs.has(repostEntry(post_id, person_id)));
    const scores = await store.all(
      others.map((person_id) => store.on.scoredSet(key.posts(person_id)).score(repostEntry(post_id, person_id))),
    );
    others.forEach((person_id, i) => {
      const score = scores[i];
      if (score === null || score === undefined)
        findings.add(key.posts(person_id), `${repostEntry(post_id, person_id)}, as they are counted`, 'nothing');
      else if ((alone || people.has(person_id)) && timeOf(Number(score)) >= before.at_ms)
        findings.add(record, 'who has reposted it by the ledger', `${person_id} as well`);
    });
    const counted = new Set(members);
    for (const person_id of people) {
      const entry_id = repostEntry(post_id, person_id);
      if (before.reposted.has(entry_id) && !pairs.has(entry_id) && !counted.has(person_id))
        findings.add(record, `it with ${person_id}, as before the storm`, 'them not among it');
    }
  }
}
