// People: an acknowledged registration owns the name, with a profile; a name is assigned once.

import { key as auctions } from '../../../../apps/rubis/server/model.ts';
import { key as timelines } from '../../../../apps/retwis/server/model.ts';
import { SCENARIOS } from '../storm.ts';
import { Findings } from '../../../invariants/findings.ts';
import { groupBy } from '../../../kit/group-by.ts';
import type { Room } from './room.ts';

export const people: Room = async ({ data, writes, store }) => {
  const findings = new Findings('people');
  const { on } = store;
  const onAuctions = SCENARIOS[data.scenario].sites[0] === 'auctions';
  const recordOf = onAuctions ? auctions.nickname : timelines.username;
  const profileOf = onAuctions ? auctions.profile : timelines.profile;
  const groups = [
    ...groupBy(
      writes.register.filter(({ certain }) => certain),
      ({ facts }) => recordOf(facts.name),
    ),
  ];
  const given = await store.all(groups.map(([record]) => on.register(record).get()));
  const profiles = await store.all(given.map((id) => on.dict(profileOf(String(id))).get(onAuctions ? 'nickname' : 'username')));
  groups.forEach(([record, lines], i) => {
    if (lines.length > 1) findings.add(record, 'one person', `that ${lines.length} were told to have it`);
    const {
      facts: { name },
      person_id,
    } = lines[0];
    const [id, profile] = [given[i], profiles[i]?.[0]];
    if (id === null) findings.add(record, 'the person who registered', 'nobody');
    else if (person_id !== '' && person_id !== id) findings.add(record, person_id, String(id));
    else if (profile !== name) findings.add(profileOf(String(id)), name, profile === null ? 'nothing' : String(profile));
  });
  return findings;
};
