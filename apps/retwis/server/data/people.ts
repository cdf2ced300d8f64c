// The people of the data set: a Kronecker graph gives their follows. Their ids are u1, u2, …; the site's own ids contain a hyphen. The
// first ones are the demo accounts: in addition to the graph, they follow the most followed people and one another, so that a visitor finds
// a busy timeline; and some people follow them.
import { DEMO_NAMES } from '@claret/site/data/demo.ts';
import type { Random } from '@claret/site/data/random.ts';

import { kronecker, type Graph } from './graph.ts';
import { makeUsernames } from './usernames.ts';

const MINUTE_MS = 60 * 1_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MEMBER_DAYS_MAX = 900;
/** the percentage of people who joined within the last day */
const NEWCOMERS_PERCENT = 1.5;

/** a demo account follows this many of the most followed people */
const DEMO_FOLLOWS = 40;
const DEMO_FOLLOWS_OF = 120;
const DEMO_FOLLOWERS = 24;

export type SeedPerson = {
  id: string;
  username: string;
  /** relative to the time of loading: negative */
  joined_in_ms: number;
};

export type Society = Graph & { people: SeedPerson[] };

/** 2^scale people */
export function makeSociety(scale: number, random: { graph: Random; people: Random }): Society {
  const graph = kronecker(scale, () => random.graph.fraction());
  followDemo(graph, random.people);
  const names = makeUsernames(graph.users, DEMO_NAMES, random.people);
  const people = names.map((username, i) => ({ id: `u${i + 1}`, username, joined_in_ms: joined(i, random.people) }));
  return { ...graph, people };
}

/** For each person the people they follow: the reverse of the graph. */
export function followingOf({ users, followers }: Graph): Uint32Array[] {
  const counts = new Uint32Array(users);
  for (const of of followers) for (const follower of of) counts[follower]!++;
  const following = Array.from(counts, (count) => new Uint32Array(count));
  counts.fill(0);
  followers.forEach((of, followed) => {
    for (const follower of of) following[follower]![counts[follower]!++] = followed;
  });
  return following;
}

function joined(index: number, random: Random): number {
  const days = random.fraction() * MEMBER_DAYS_MAX + 2;
  const isNew = index >= DEMO_NAMES.length && random.chance(NEWCOMERS_PERCENT / 100);
  return -Math.floor(isNew ? 3 * MINUTE_MS + random.fraction() * DAY_MS : days * DAY_MS);
}

function followDemo({ users, followers }: Graph, random: Random): void {
  const demo = Array.from({ length: Math.min(DEMO_NAMES.length, users) }, (_, i) => i);
  const stars = Array.from({ length: users }, (_, i) => i)
    .filter((user) => !demo.includes(user))
    .sort((a, b) => followers[b]!.length - followers[a]!.length || a - b)
    .slice(0, DEMO_FOLLOWS_OF);
  for (const one of demo) {
    const followed = random
      .shuffle([...stars])
      .slice(0, DEMO_FOLLOWS)
      .concat(demo);
    for (const other of followed) follow(followers, one, other);
    for (let i = 0; i < DEMO_FOLLOWERS; i++) follow(followers, random.integer(0, users - 1), one);
  }
}

function follow(followers: Uint32Array[], follower: number, followed: number): void {
  const of = followers[followed]!;
  if (follower === followed || of.includes(follower)) return;
  followers[followed] = Uint32Array.of(...of, follower);
}
