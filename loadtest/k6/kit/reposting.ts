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

/** A post that fascinates: whoever sees it reposts it with that chance, whatever else they do. So it begins, before it is popular. */
export interface Fascinating {
  id: string;
  chance: number;
}

/** @param again the chance of one more repost; the mean is again / (1 - again) */
export function toRepost(posts: readonly PostSeen[], again: number, random: () => number, fascinating: Fascinating | null = null): string[] {
  const count = geometric(random, again);
  const ranked = posts.filter(({ reposted }) => !reposted).sort((a, b) => b.reposts - a.reposts);
  const ids = [...new Set(ranked.map(({ id }) => id))];
  const chosen = ids.slice(0, count);
  if (fascinating === null || !ids.includes(fascinating.id) || chosen.includes(fascinating.id)) return chosen;
  return random() < fascinating.chance ? [fascinating.id, ...chosen] : chosen;
}

/** The chance that makes so many reposts of so many looks at timelines. */
export const againFor = (reposts: number, timelines: number): number => reposts / (reposts + timelines);
