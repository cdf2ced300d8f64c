// The invariant of reposts, for each post and person: a person who has reposted a post is counted once among its reposts and has
// the repost once on the own page; a person who has not is not counted and has no repost there.
//
// The acknowledged actions of one person on one post must add up, whatever their order: before the run the person had reposted it
// or not (0 or 1), each acknowledged repost adds one, each acknowledged undo subtracts one, each action without a response may do
// so, and the result is 0 or 1. So two acknowledged reposts by one person without an undo in between are found even if one repost
// remains.

import { key, repostEntry, timeOf } from '../../apps/retwis/server/model.ts';
import type { Store } from '../kit/store.ts';
import type { Finding } from './findings.ts';

/** One person and one post. */
export interface Reposter {
  post_id: string;
  user_id: string;
  /** the states that the acknowledged actions allow; empty: the actions contradict each other */
  mayBe: readonly boolean[];
}

export interface RepostAction {
  post_id: string;
  user_id: string;
  undo: boolean;
  /** acknowledged; false: without a response */
  certain: boolean;
}

/** The states after the actions, by entry (repostEntry). `before`: the entries of the reposts before the first action. */
export function repostersAfter(actions: Iterable<RepostAction>, before: ReadonlySet<string>): Map<string, Reposter> {
  const ranges = new Map<string, { post_id: string; user_id: string; least: number; most: number }>();
  for (const { post_id, user_id, undo, certain } of actions) {
    const entry_id = repostEntry(post_id, user_id);
    const first = before.has(entry_id) ? 1 : 0;
    const range = ranges.get(entry_id) ?? { post_id, user_id, least: first, most: first };
    const step = undo ? -1 : 1;
    if (certain || undo) range.least += step;
    if (certain || !undo) range.most += step;
    ranges.set(entry_id, range);
  }
  const statesOf = (least: number, most: number) => [0, 1].filter((state) => least <= state && state <= most).map((state) => state === 1);
  return new Map(
    [...ranges].map(([entry, { post_id, user_id, least, most }]) => [entry, { post_id, user_id, mayBe: statesOf(least, most) }]),
  );
}

/** Actions that cannot all have happened. */
export function contradictions(reposters: Iterable<Reposter>): Finding[] {
  return [...reposters]
    .filter(({ mayBe }) => mayBe.length === 0)
    .map(({ post_id, user_id }) => ({
      record: key.post_reposts(post_id),
      expected: `reposts and undoings by ${user_id} in turn`,
      found: 'that more of one kind were acknowledged',
    }));
}

/** Each person is counted and has the repost on the own page, or neither, as the actions determine. */
export async function reposterFindings(store: Store, reposters: Iterable<Reposter>): Promise<Finding[]> {
  const checked = [...reposters].filter(({ mayBe }) => mayBe.length > 0);
  const stored = await store.atOnce(
    checked.map(({ post_id, user_id }) => [
      store.on.set(key.post_reposts(post_id)).contains(user_id),
      store.on.scoredSet(key.posts(user_id)).score(repostEntry(post_id, user_id)),
    ]),
  );
  return checked.flatMap(({ post_id, user_id, mayBe }, i) => {
    const [counted, listed] = [stored[i]![0] === true, stored[i]![1] !== null];
    const wanted = mayBe.length === 1 ? mayBe[0]! : counted;
    const withOrWithout = wanted ? 'with' : 'without';
    const findings: Finding[] = [];
    if (counted !== wanted) {
      const expected = `it ${withOrWithout} ${user_id}, as acknowledged`;
      findings.push({ record: key.post_reposts(post_id), expected, found: counted ? 'them among it' : 'them not among it' });
    }
    if (listed !== wanted) {
      const expected = `it ${withOrWithout} ${repostEntry(post_id, user_id)}`;
      findings.push({ record: key.posts(user_id), expected, found: listed ? 'it there' : 'it not there' });
    }
    return findings;
  });
}

/** A post that only acknowledged actions have reposted has that number of reposts. */
export function repostCountFindings(post_id: string, acknowledged: number, counted: number): Finding[] {
  if (counted === acknowledged) return [];
  return [{ record: key.post_reposts(post_id), expected: `${acknowledged} reposts, as acknowledged`, found: String(counted) }];
}

/** Everyone who is counted for some posts, including people without actions. */
export interface RepostCrowd {
  post_ids: readonly string[];
  /** the people of the actions, by entry */
  reposters: ReadonlyMap<string, Reposter>;
  /** entries of the reposts before the run */
  before: ReadonlySet<string>;
  /** the people of the run: they have no reposts and undos except for the actions */
  people: ReadonlySet<string>;
  /** start of the run */
  since_ms: number;
  /** Whether clients of other tools may repost too. */
  others: boolean;
}

export async function crowdFindings(store: Store, crowd: RepostCrowd): Promise<Finding[]> {
  const { post_ids, reposters, before, people, since_ms, others } = crowd;
  const findings: Finding[] = [];
  let next = 0;
  for await (const [record, members] of store.sets(post_ids.map(key.post_reposts))) {
    const post_id = post_ids[next++]!;
    const unknown = members.filter((user_id) => !reposters.has(repostEntry(post_id, user_id)));
    const scores = await store.all(unknown.map((user_id) => store.on.scoredSet(key.posts(user_id)).score(repostEntry(post_id, user_id))));
    unknown.forEach((user_id, i) => {
      const score = scores[i];
      if (score === null || score === undefined) {
        findings.push({ record: key.posts(user_id), expected: `${repostEntry(post_id, user_id)}, as they are counted`, found: 'nothing' });
      } else if ((!others || people.has(user_id)) && timeOf(Number(score)) >= since_ms) {
        findings.push({ record, expected: 'who has reposted it by the ledger', found: `${user_id} as well` });
      }
    });
    const counted = new Set(members);
    for (const user_id of people) {
      const entry_id = repostEntry(post_id, user_id);
      if (before.has(entry_id) && !reposters.has(entry_id) && !counted.has(user_id))
        findings.push({ record, expected: `it with ${user_id}, as before the storm`, found: 'them not among it' });
    }
  }
  return findings;
}
