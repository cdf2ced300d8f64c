// The choice of posts to repost: the user model of the paper (section 6.3). A visitor who has looked at a timeline ranks its
// posts by their number of reposts and reposts the first few. Their number is drawn from a geometric distribution, so it is
// mostly none. Popular posts therefore become more popular. Pure: no k6 here.

import { geometric } from '../../../kit/random.ts';

/** A post that fascinates: whoever sees it reposts it with that chance, whatever else they do. So it begins, before it is popular. */
export interface Fascinating {
  id: string;
  chance: number;
}

/** What somebody is out for who looks at their timeline: drawn before, since whoever is out for nothing need not read it. */
export interface Wish {
  /** so many of the most popular posts */
  count: number;
  /** and this one, where it stands; null: none */
  also: string | null;
}

/** @param again the chance of one more repost; the mean is again / (1 - again) */
export function wishFor(random: () => number, again: number, fascinating: Fascinating | null): Wish {
  const count = geometric(random, again);
  return { count, also: fascinating !== null && random() < fascinating.chance ? fascinating.id : null };
}

/** What a page of a timeline tells of each post. */
export interface PostSeen {
  id: string;
  reposts: number;
  /** by whoever looks */
  reposted: boolean;
}

const POST = '"post":{"id":"';
const REPOSTS = '"reposts":';
const REPOSTED = ',"reposted":true';

/** Of the JSON of an EntryPage: to parse all of it costs k6 more than the request. A quote within a text has a backslash before it. */
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

/** The chance that makes so many reposts of so many looks at timelines. */
export const againFor = (reposts: number, timelines: number): number => reposts / (reposts + timelines);
