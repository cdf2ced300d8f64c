// The activity of the data set's people in about the last day: who posted when, and who reposted what.
//
// It is simulated in the order of time, with timelines as the site keeps them: a post or repost goes to the timelines of all followers.
// Reposts follow the paper's user model (section 6.3): a person who looks at a timeline ranks its posts by their reposts so far and reposts
// the most popular ones, each rank less often than the one above it by a geometric distribution. So reposts cause further reposts, and the
// number of reposts per post follows a power law. Looks that lead to no repost change nothing and are not simulated.
import type { Random } from '@claret/site/data/random.ts';

import { followingOf, type Society } from './people.ts';

const MINUTE_MS = 60 * 1_000;
const SPAN_MS = 26 * 60 * MINUTE_MS;
const NEWEST_MS = 2 * MINUTE_MS;
/** 1: equally many in the first and the last hour; greater: more in the last hour */
const TOWARDS_NOW = 1.4;

/** average posts of a person without followers, and further ones for each doubling of followers */
const POSTS_ALONE = 0.3;
const POSTS_PER_DOUBLING = 0.4;

/** the paper's Table 3, read-heavy: 1 % reposts, 0.5 % posts */
const REPOSTS_PER_POST = 2;
/** the chance to skip a rank for the next */
const NEXT_RANK = 0.7;

/** Older posts are not reposted. */
const NEWS_MS = 7 * 60 * MINUTE_MS;

/** the part of a timeline that is looked at */
const PAGE_SIZE = 20;

/** `in_ms`: relative to the time of loading, negative */
export type PostMade = { author: number; in_ms: number };
export type RepostMade = { post: number; by: number; in_ms: number };

/** both in the order of time */
export type Activity = { posts: PostMade[]; reposts: RepostMade[] };

export function play(society: Society, random: Random): Activity {
  const posts = makePosts(society, random);
  const looks = Array.from({ length: posts.length * REPOSTS_PER_POST }, () => moment(SPAN_MS, random));
  looks.sort((a, b) => a - b);
  return { posts, reposts: new Readers(society, posts, random).read(looks) };
}

/** A time between `span_ms` ago and shortly before now. */
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
  /** the newest posts on each person's timeline, a ring for each: post + 1, 0 for an empty slot */
  readonly #timelines: Uint32Array;
  readonly #next: Uint32Array;
  readonly #reposted: Uint32Array;
  /** each person's own reposts */
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

  /** One look at each of these times, which are in order. */
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

  /** One of the recent posts that they have neither written nor reposted themselves; undefined: their timeline has none. */
  #chosen(by: number, in_ms: number): number | undefined {
    const page = new Set<number>();
    for (let back = 1; back <= PAGE_SIZE; back++) {
      const place = (this.#next[by]! - back + PAGE_SIZE) % PAGE_SIZE;
      const post = this.#timelines[by * PAGE_SIZE + place]! - 1;
      if (post < 0 || this.#own[by]!.includes(post)) continue;
      const { author, in_ms: posted } = this.#posts[post]!;
      if (author !== by && in_ms - posted < NEWS_MS) page.add(post);
    }
    // Ties go to the newest.
    const ranked = [...page].sort((a, b) => this.#reposted[b]! - this.#reposted[a]!);
    let rank = 0;
    while (this.#random.chance(NEXT_RANK)) rank++;
    return ranked[Math.min(rank, ranked.length - 1)];
  }
}
