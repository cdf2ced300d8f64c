// People of the sites' data sets, logged in by sessions that are written to the store directly, so that no passwords are hashed
// before a run. Demo accounts are not used.

import type { Claret } from '@claret/client';
import { newUser as newAuctionUser } from '../../apps/rubis/server/actions/new-user.ts';
import type { Person as AuctionPerson } from '../../apps/rubis/server/actions/find-account.ts';
import { REGIONS } from '../../apps/rubis/server/data/regions.ts';
import { key as auctionKey } from '../../apps/rubis/server/model.ts';
import { sessions as auctionSessions } from '../../apps/rubis/server/sessions.ts';
import type { UserRef as TimelinePerson } from '../../apps/retwis/server/api.ts';
import { key as timelineKey } from '../../apps/retwis/server/model.ts';
import { sessions as timelineSessions } from '../../apps/retwis/server/sessions.ts';
import { hashToken, newToken } from '../../apps/site/auth/token.ts';
import { mapAtOnce } from '../kit/at-once.ts';
import { readAll } from '../kit/checking.ts';

/** A person who is logged in at a site. */
export interface LoggedIn {
  id: string;
  /** nickname or username */
  name: string;
  /** value of the site's session cookie */
  token: string;
}

/** Demo accounts have the first ids of each data set: u1, u2, … */
const DEMO_ACCOUNTS = 4;
/** If there are fewer, because there is no data set, people are created. */
const PEOPLE_MIN = 32;

const datasetIds = (count: number) => Array.from({ length: count }, (_, i) => `u${DEMO_ACCOUNTS + 1 + i}`);

/** Up to `count` people of the auctions' data set; without a data set, newly created ones. */
export async function auctionPeople(claret: Claret, count: number): Promise<AuctionPerson[]> {
  const ids = datasetIds(count);
  const profiles = await readAll(
    claret,
    ids.map((id) => claret.on.dict(auctionKey.profile(id)).get('nickname', 'region')),
  );
  const people = ids.flatMap((id, i) => {
    const [nickname, region_id] = profiles[i]!;
    return typeof nickname === 'string' && typeof region_id === 'string' ? [{ id, nickname, region_id }] : [];
  });
  if (people.length >= PEOPLE_MIN) return people;
  const region_id = REGIONS[0]!.id;
  const batch = Date.now().toString(36);
  const joined = await mapAtOnce(PEOPLE_MIN, async (number) => {
    const nickname = `storm_${batch}_${number}`;
    const outcome = await newAuctionUser(claret, { nickname, region_id, credentials: null, created_at_ms: Date.now() });
    return outcome.refused === null ? [{ id: outcome.user_id, nickname, region_id }] : [];
  });
  return [...people, ...joined.flat()];
}

/** Up to `count` people of the timelines' data set. */
export async function timelinePeople(claret: Claret, count: number): Promise<TimelinePerson[]> {
  return timelinePeopleOf(claret, datasetIds(count));
}

/** The people with these ids; ids without a person are skipped. */
export async function timelinePeopleOf(claret: Claret, ids: readonly string[]): Promise<TimelinePerson[]> {
  const profiles = await readAll(
    claret,
    ids.map((id) => claret.on.dict(timelineKey.profile(id)).get('username')),
  );
  return ids.flatMap((id, i) => (typeof profiles[i]![0] === 'string' ? [{ id, username: profiles[i]![0] }] : []));
}

type Open = (token_hash: string) => Promise<void>;

async function logIn(id: string, name: string, open: Open): Promise<LoggedIn> {
  const token = newToken();
  await open(hashToken(token)!);
  return { id, name, token };
}

export const logInToAuctions = (claret: Claret, people: readonly AuctionPerson[]): Promise<LoggedIn[]> =>
  mapAtOnce(people.length, (number) => {
    const person = people[number]!;
    return logIn(person.id, person.nickname, (token_hash) =>
      auctionSessions.records.open(claret, { person, token_hash, now_ms: Date.now() }),
    );
  });

export const logInToTimelines = (claret: Claret, people: readonly TimelinePerson[]): Promise<LoggedIn[]> =>
  mapAtOnce(people.length, (number) => {
    const person = people[number]!;
    return logIn(person.id, person.username, (token_hash) =>
      timelineSessions.records.open(claret, { person, token_hash, now_ms: Date.now() }),
    );
  });

/** Closes the sessions, so that tokens in the files of a run become useless. */
export async function logOut(
  claret: Claret,
  people: { auction_people: readonly LoggedIn[]; timeline_people: readonly LoggedIn[] },
): Promise<void> {
  const ends = [
    ...people.auction_people.map((person) => [auctionSessions.records, person] as const),
    ...people.timeline_people.map((person) => [timelineSessions.records, person] as const),
  ];
  await mapAtOnce(ends.length, (number) => {
    const [records, { id, token }] = ends[number]!;
    return records.end(claret, { user_id: id, token_hash: hashToken(token)! });
  });
}
