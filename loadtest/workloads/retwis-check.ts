// What retwis knows to be committed, held against what is stored: a post or repost is on the author's page and on the
// timelines of all who followed them from the beginning, with the time at which somebody posted or reposted it; a post has as
// many reposts as were acknowledged; who has followed is on both lists; as many people and posts are listed as are new.
// What is told is told once: from then on what is stored counts.
//
// Without locks (`none`) each operation is still atomic and all of a transaction's are sent once it got so far: timelines,
// pages and lists hold nevertheless, since what writes them only adds. What does not hold is what was decided on what was
// read: somebody may repost a post twice at once, which counts once.

import type { Claret, Description } from '@claret/client';
import { key } from '../../apps/retwis/server/model.ts';
import { readAll } from './checking.ts';
import type { Graph } from './kronecker.ts';
import { person } from './retwis-data.ts';

/** That a person put a post on the timelines. */
interface Spread {
  post_id: string;
  user: number;
  /** followers that the transaction was told of */
  reached: number;
}

export class RetwisCheck {
  readonly #graph: Graph;
  /** when each post was posted or reposted, since the workload began */
  readonly #times = new Map<string, Set<number>>();
  readonly #reposts = new Map<string, number>();
  #posts = 0;
  #joined = 0;
  /** since `mismatches` looked last */
  #spreads: Spread[] = [];
  #reposted = new Set<string>();
  #follows: [follower_id: string, followed_id: string][] = [];
  /** what no transaction of the workload may be told */
  #surprises: string[] = [];

  constructor(graph: Graph) {
    this.#graph = graph;
  }

  /** How often those posts have been reposted that have been at all. */
  get reposts(): ReadonlyMap<string, number> {
    return this.#reposts;
  }

  /** posts since the workload began */
  get posts(): number {
    return this.#posts;
  }

  posted(post_id: string, user: number, at_ms: number, reached: number): void {
    this.#posts++;
    this.#spread(post_id, user, at_ms, reached);
  }

  reposted(post_id: string, user: number, at_ms: number, reached: number): void {
    this.#reposts.set(post_id, (this.#reposts.get(post_id) ?? 0) + 1);
    this.#reposted.add(post_id);
    this.#spread(post_id, user, at_ms, reached);
  }

  #spread(post_id: string, user: number, at_ms: number, reached: number): void {
    const times = this.#times.get(post_id);
    if (times === undefined) this.#times.set(post_id, new Set([at_ms]));
    else times.add(at_ms);
    this.#spreads.push({ post_id, user, reached });
  }

  followed(follower_id: string, followed_id: string): void {
    this.#follows.push([follower_id, followed_id]);
  }

  joined(): void {
    this.#joined++;
  }

  refused(what: string, why: string): void {
    this.#surprises.push(`${what} was refused: ${why}`);
  }

  async mismatches(claret: Claret): Promise<string[]> {
    const found = [...await this.#inSpreads(claret), ...await this.#inReposts(claret), ...await this.#inFollows(claret), ...this.#surprises];
    this.#surprises = [];
    const [posts, people] = await readAll(claret, [claret.on.scoredSet(key.newest_posts).size(), claret.on.scoredSet(key.newest_users).size()]);
    if (posts !== this.#posts) found.push(`${key.newest_posts} lists ${posts}; new are ${this.#posts}`);
    if (people !== this.#joined) found.push(`${key.newest_users} lists ${people}; new are ${this.#joined}`);
    [this.#posts, this.#joined] = [Number(posts), Number(people)];
    return found;
  }

  async #inSpreads(claret: Claret): Promise<string[]> {
    const spreads = this.#spreads;
    this.#spreads = [];
    const reads: Description<unknown>[] = [];
    for (const { post_id, user } of spreads) {
      reads.push(claret.on.scoredSet(key.posts(person(user).id)).score(post_id), claret.on.scoredSet(key.timeline(person(user).id)).score(post_id));
      // Who has followed since is on the list of followers too, but may not have got the post.
      for (const follower of this.#graph.followers[user]!) reads.push(claret.on.scoredSet(key.timeline(person(follower).id)).score(post_id));
    }
    const scores = await readAll(claret, reads);
    let first = 0;
    return spreads.flatMap(({ post_id, user, reached }) => {
      const followers = this.#graph.followers[user]!.length;
      const seen = scores.slice(first, (first += 2 + followers));
      const times = this.#times.get(post_id)!;
      const wrong = seen.filter((score) => score === null || !times.has(Number(score))).length;
      if (wrong === 0 && reached >= followers) return [];
      return [`post ${post_id} of ${person(user).id}, told to have reached ${reached} followers of at least ${followers}, is missing, or has another time, on ${wrong} of ${seen.length} lists`];
    });
  }

  async #inReposts(claret: Claret): Promise<string[]> {
    const posts = [...this.#reposted];
    this.#reposted = new Set();
    const sizes = await readAll(claret, posts.map((post_id) => claret.on.set(key.post_reposts(post_id)).size()));
    return posts.flatMap((post_id, i) => {
      const acknowledged = this.#reposts.get(post_id)!;
      if (sizes[i] === acknowledged) return [];
      this.#reposts.set(post_id, Number(sizes[i]));
      return [`post ${post_id} has ${sizes[i]} reposts; ${acknowledged} were acknowledged`];
    });
  }

  async #inFollows(claret: Claret): Promise<string[]> {
    const follows = this.#follows;
    this.#follows = [];
    const listed = await readAll(claret, follows.flatMap(([follower_id, followed_id]) => [
      claret.on.set(key.following(follower_id)).contains(followed_id),
      claret.on.set(key.followers(followed_id)).contains(follower_id),
    ]));
    return follows.flatMap(([follower_id, followed_id], i) => {
      const [following, followers] = [listed[2 * i], listed[2 * i + 1]];
      if (following && followers) return [];
      const missing = following ? "the followers' list has not" : followers ? "the follower's list has not" : 'neither list has';
      return [`${follower_id} follows ${followed_id}, but ${missing}`];
    });
  }
}
