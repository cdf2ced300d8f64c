// What the people of the data set have done in the last day or so: who posted when, and who reposted what.
//
// It is played through in the order of time, on timelines as the site keeps them: who posts or reposts brings it to the
// timelines of all followers. Reposts are the paper's user model (section 6.3): whoever has looked at a timeline ranks its
// posts by how often they have been reposted already and reposts the most popular ones, each rank less often than the one
// above it by a geometric distribution. So reposts make more reposts, and how often posts are reposted follows a power law.
// Looks that lead to no repost change nothing and are not played.
import type { Random } from '@claret/site/data/random.ts';

import { followingOf, type Society } from './people.ts';

const MINUTE_MS = 60 * 1_000;
const SPAN_MS = 26 * 60 * MINUTE_MS;
const NEWEST_MS = 2 * MINUTE_MS;
/** 1: as many in the first hour as in the last; above: more in the last. */
const TOWARDS_NOW = 1.4;

/** Posts of somebody whom nobody follows, on average; each doubling of followers adds so many. */
const POSTS_ALONE = 0.3;
const POSTS_PER_DOUBLING = 0.4;

/** The paper's Table 3, read-heavy: 1 % reposts, 0.5 % posts. */
const REPOSTS_PER_POST = 2;
/** The chance to pass a rank over for the next. */
const NEXT_RANK = 0.7;

/** What is older is not news any more, and nobody reposts it. */
const NEWS_MS = 7 * 60 * MINUTE_MS;

/** What is looked at. */
const PAGE_SIZE = 20;

/** `in_ms`: before the data set was loaded, negative. */
export type PostMade = { author: number; in_ms: number };
export type RepostMade = { post: number; by: number; in_ms: number };

/** Both in the order of time. */
export type Activity = { posts: PostMade[]; reposts: RepostMade[] };

export function play(society: Society, random: Random): Activity {
  const posts = makePosts(society, random);
  const looks = Array.from({ length: posts.length * REPOSTS_PER_POST }, () => moment(SPAN_MS, random));
  looks.sort((a, b) => a - b);
  return { posts, reposts: new Readers(society, posts, random).read(looks) };
}

/** Between `span_ms` ago and a moment ago. */
function moment(span_ms: number, random: Random): number {
  return -Math.floor(NEWEST_MS + Math.max(0, span_ms - NEWEST_MS) * random.fraction() ** TOWARDS_NOW);
}

function makePosts({ people, followers }: Society, random: Random): PostMade[] {
  const posts: PostMade[] = [];
  people.forEach(({ joined_in_ms }, author) => {
    const mean = POSTS_ALONE + POSTS_PER_DOUBLING * Math.log2(1 + followers[author]!.length);
    const count = Math.floor(random.exponential(mean) + random.fraction());
    for (let i = 0; i < count; i++) posts.push({ author, in_ms: moment(Math.min(SPAN_MS, -joined_in_ms), random) });
  });
  return posts.sort((a, b) => a.in_ms - b.in_ms || a.author - b.author);
}

class Readers {
  readonly #society: Society;
  readonly #posts: readonly PostMade[];
  readonly #random: Random;
  /** The newest posts on each person's timeline, a ring for each: post + 1, 0 where there is none yet. */
  readonly #timelines: Uint32Array;
  readonly #next: Uint32Array;
  readonly #reposted: Uint32Array;
  /** What each has reposted. */
  readonly #own: number[][];

  constructor(society: Society, posts: readonly PostMade[], random: Random) {
    this.#society = society;
    this.#posts = posts;
    this.#random = random;
    this.#timelines = new Uint32Array(society.users * PAGE_SIZE);
    this.#next = new Uint32Array(society.users);
    this.#reposted = new Uint32Array(posts.length);
    this.#own = Array.from({ length: society.users }, () => []);
  }

  /** One look at each of the moments, which are in order. */
  read(looks: readonly number[]): RepostMade[] {
    const readers = followingOf(this.#society).flatMap((following, user) => (following.length === 0 ? [] : [user]));
    const reposts: RepostMade[] = [];
    let posted = 0;
    for (const in_ms of looks) {
      for (; posted < this.#posts.length && this.#posts[posted]!.in_ms < in_ms; posted++) this.#spread(posted, this.#posts[posted]!.author);
      const by = this.#random.pick(readers);
      if (this.#society.people[by]!.joined_in_ms >= in_ms) continue;
      const post = this.#chosen(by, in_ms);
      if (post === undefined) continue;
      this.#reposted[post]!++;
      this.#own[by]!.push(post);
      reposts.push({ post, by, in_ms });
      this.#spread(post, by);
    }
    return reposts;
  }

  #spread(post: number, by: number): void {
    for (const follower of this.#society.followers[by]!) {
      this.#timelines[follower * PAGE_SIZE + this.#next[follower]!] = post + 1;
      this.#next[follower] = (this.#next[follower]! + 1) % PAGE_SIZE;
    }
  }

  /** Of the news that they have neither written nor reposted themselves; undefined: their timeline has no other. */
  #chosen(by: number, in_ms: number): number | undefined {
    const page = new Set<number>();
    for (let back = 1; back <= PAGE_SIZE; back++) {
      const place = (this.#next[by]! - back + PAGE_SIZE) % PAGE_SIZE;
      const post = this.#timelines[by * PAGE_SIZE + place]! - 1;
      if (post < 0 || this.#own[by]!.includes(post)) continue;
      const { author, in_ms: posted } = this.#posts[post]!;
      if (author !== by && in_ms - posted < NEWS_MS) page.add(post);
    }
    // Where several are as popular, the newest is first.
    const ranked = [...page].sort((a, b) => this.#reposted[b]! - this.#reposted[a]!);
    let rank = 0;
    while (this.#random.chance(NEXT_RANK)) rank++;
    return ranked[Math.min(rank, ranked.length - 1)];
  }
}
