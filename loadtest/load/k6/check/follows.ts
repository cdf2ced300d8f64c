// Follows: an acknowledged follow is on both lists, once. A follow without a response is on both or on neither. No follow has
// ended, because no storm undoes a follow; and none has begun outside of the ledger.

import { key } from '../../../../apps/retwis/server/model.ts';
import { Findings, named } from '../../../invariants/findings.ts';
import { groupBy } from '../../../kit/group-by.ts';
import type { TimelinesStorm } from './pages.ts';
import type { Room } from './room.ts';

type Followed = ReadonlyMap<string, ReadonlySet<string>>;

export const follows: Room<TimelinesStorm> = async (storm) => {
  const findings = new Findings('follows');
  const tried = await ofLedger(storm, findings);
  await ofPeople(storm, tried, findings);
  await ofCelebrity(storm, tried, findings);
  return findings;
};

/** The people whom each follower may have begun to follow. */
async function ofLedger({ writes, store, before, ids }: TimelinesStorm, findings: Findings): Promise<Followed> {
  const { on } = store;
  const tried = new Map<string, Set<string>>();
  const pairs: { follower: string; followed: string; certain: number }[] = [];
  for (const lines of groupBy(writes.follow, ({ person_id, facts }) => `${person_id} ${facts.who.toLowerCase()}`).values()) {
    const { person_id: follower, facts } = lines[0];
    const certain = lines.filter((line) => line.certain).length;
    const followed = ids.get(facts.who.toLowerCase()) ?? null;
    if (followed === null) {
      if (certain > 0) findings.add(key.username(facts.who), 'who is acknowledged to be followed', 'nobody');
      continue;
    }
    tried.set(follower, (tried.get(follower) ?? new Set()).add(followed));
    pairs.push({ follower, followed, certain });
    const first = before.following.get(follower)?.has(followed) === true ? 1 : 0;
    if (first + certain > 1)
      findings.add(
        key.following(follower),
        `${followed} once`,
        `that it began ${certain} times${first === 1 ? ' and before the storm' : ''}`,
      );
  }
  const found = await store.atOnce(
    pairs.map(({ follower, followed }) => [
      on.set(key.following(follower)).contains(followed),
      on.set(key.followers(followed)).contains(follower),
    ]),
  );
  pairs.forEach(({ follower, followed, certain }, i) => {
    const [following, followers] = found[i] as [boolean, boolean];
    const wanted = certain > 0 || following || followers;
    if (following !== wanted) findings.add(key.following(follower), `${followed} among it`, 'them not among it');
    if (followers !== wanted) findings.add(key.followers(followed), `${follower} among it`, 'them not among it');
  });
  return tried;
}

/** Compares everyone whom the storm's people follow, on their own lists and on the lists of the followed. */
async function ofPeople({ store, before }: TimelinesStorm, tried: Followed, findings: Findings): Promise<void> {
  const people = [...before.following.keys()];
  let next = 0;
  for await (const [record, members] of store.sets(people.map(key.following))) {
    const follower = people[next++]!;
    const now = new Set(members);
    const earlier = before.following.get(follower)!;
    const lost = [...earlier].filter((followed) => !now.has(followed));
    if (lost.length > 0) findings.add(record, 'all of before the storm', `it without ${named(lost)}`);
    const strange = members.filter((followed) => !earlier.has(followed) && tried.get(follower)?.has(followed) !== true);
    if (strange.length > 0) findings.add(record, 'whom the ledger knows', `${named(strange)} as well`);
    const mutual = await store.all(members.map((followed) => store.on.set(key.followers(followed)).contains(follower)));
    const missing = members.filter((_, i) => mutual[i] !== true);
    if (missing.length > 0) findings.add(record, `${follower} on the lists of all who are followed`, `none on that of ${named(missing)}`);
  }
}

async function ofCelebrity({ data, store, ids, alone }: TimelinesStorm, tried: Followed, findings: Findings): Promise<void> {
  if (data.hot_post === null) return;
  const celebrity = ids.get(data.hot_post.author.toLowerCase()) ?? null;
  if (celebrity === null) return findings.add(key.username(data.hot_post.author), 'the author of the famous post', 'nobody');
  const record = key.followers(celebrity);
  const now = new Set(await store.members(record));
  const lost = data.followers_of_hot.filter((follower) => !now.has(follower));
  if (lost.length > 0) findings.add(record, `all ${data.followers_of_hot.length} of before the storm`, `it without ${named(lost)}`);
  if (!alone) return;
  const earlier = new Set(data.followers_of_hot);
  const strange = [...now].filter((follower) => !earlier.has(follower) && tried.get(follower)?.has(celebrity) !== true);
  if (strange.length > 0) findings.add(record, 'who follows by the ledger', `${named(strange)} as well`);
}
