// The choice of posts to repost: the user model of the paper (section 6.3). A visitor who has looked at a timeline ranks its posts
// by their number of reposts and reposts the first few. Their number is drawn from a geometric distribution, and is mostly zero. So
// popular posts become more popular. Pure: no k6 here.

import { geometric } from '../../../kit/random.ts';

/** A post that everyone who sees it reposts with that probability, independently of the model. This starts its popularity. */
export interface Fascinating {
  id: string;
  chance: number;
}

/** The reposts that a visitor wants, drawn before the timeline is requested: without a wish its body need not be read. */
export interface Wish {
  /** number of the most popular posts */
  count: number;
  /** the fascinating post, if it is on the page; null: none */
  also: string | null;
}

/** @param again the probability of one more repost; the mean is again / (1 - again) */
export function wishFor(random: () => number, again: number, fascinating: Fascinating | null): Wish {
  const count = geometric(random, again);
  return { count, also: fascinating !== null && random() < fascinating.chance ? fascinating.id : null };
}

/** The values of each post on a timeline's page. */
export interface PostSeen {
  id: string;
  reposts: number;
  /** by the viewer */
  reposted: boolean;
}

const POST = '"post":{"id":"';
const REPOSTS = '"reposts":';
const REPOSTED = ',"reposted":true';

/**
 * Extracts posts from the JSON of an EntryPage: parsing all of it would cost k6 more than the request. A quote within a text has a
 * backslash before it.
 */
export function postsIn(page: string): PostSeen[] {
  const posts: PostSeen[] = [];
  for (let at = page.indexOf(POST); at >= 0; at = page.indexOf(POST, at)) {
    const id = page.slice(at + POST.length, page.indexOf('"', at + POST.length));
    const reposts = page.indexOf(REPOSTS, at) + REPOSTS.length;
    at = page.indexOf(',', reposts);
    posts.push({ id, reposts: Number(page.slice(reposts, at)), reposted: page.startsWith(REPOSTED, at) });
  }
  return posts;
}

export function toRepost(posts: readonly PostSeen[], { count, also }: Wish): string[] {
  const ranked = posts.filter(({ reposted }) => !reposted).sort((a, b) => b.reposts - a.reposts);
  const ids = [...new Set(ranked.map(({ id }) => id))];
  const chosen = ids.slice(0, count);
  return also !== null && ids.includes(also) && !chosen.includes(also) ? [also, ...chosen] : chosen;
}

/** The probability that yields this number of reposts from this number of timelines. */
export const againFor = (reposts: number, timelines: number): number => reposts / (reposts + timelines);
