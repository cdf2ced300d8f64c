// Who reposts what: the user model of the paper (section 6.3). Whoever has looked at a timeline ranks its posts by how often they
// have been reposted already, and reposts the first few; how many is drawn from a geometric distribution, so mostly none. What
// is popular becomes more so. Pure: no k6 here.

import { geometric } from './random.ts';

/** What a page of a timeline tells of each post. */
export interface PostSeen {
  id: string;
  reposts: number;
  /** by whoever looks */
  reposted: boolean;
}

/** @param again the chance of one more repost; the mean is again / (1 - again) */
export function toRepost(posts: readonly PostSeen[], again: number, random: () => number): string[] {
  const count = geometric(random, again);
  if (count === 0) return [];
  const ranked = posts.filter(({ reposted }) => !reposted).sort((a, b) => b.reposts - a.reposts);
  return [...new Set(ranked.map(({ id }) => id))].slice(0, count);
}

/** The chance that makes so many reposts of so many looks at timelines. */
export const againFor = (reposts: number, timelines: number): number => reposts / (reposts + timelines);
