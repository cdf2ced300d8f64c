// The check of the retwis workload: the store holds the acknowledged changes. A post or repost is on the author's page and on the
// timelines of all who followed the author from the beginning, with its time. A post has the acknowledged number of reposts
// (invariants/reposts.ts). A follow is on both lists. The newest people and posts are listed (newest-check.ts). A mismatch is
// reported once: from then on the stored value counts.
//
// Without locks (`none`) each operation is still atomic, and all operations of a transaction are sent once it got that far.
// Timelines, pages and lists are still correct, because transactions only add to them. Decisions on values read are not: a person
// may repost a post twice at once, which counts once.

import type { Claret, Description } from '@claret/client';
import { key, repostEntry, timeOf } from '../../apps/retwis/server/model.ts';
import { sentenceOf } from '../invariants/findings.ts';
import { repostCountFindings } from '../invariants/reposts.ts';
import { readAll } from '../kit/checking.ts';
import type { Graph } from '../../apps/retwis/server/data/graph.ts';
import { NewestCheck } from './newest-check.ts';
import { person } from './retwis-data.ts';

/** A person put an entry on the timelines. */
interface Spread {
  entry_id: string;
  user: number;
  /** number of followers according to the transaction */
  reached: number;
}

export class RetwisCheck {
  readonly #graph: Graph;
  /** times of each entry since the workload began: without transactions the same repost may occur twice */
  readonly #times = new Map<string, Set<number>>();
  readonly #reposts = new Map<string, number>();
  readonly #newestPosts = new NewestCheck(key.newest_posts);
  readonly #newestUsers = new NewestCheck(key.newest_users);
  #posts = 0;
  /** since the last call of `mismatches` */
  #spreads: Spread[] = [];
  #reposted = new Set<string>();
  #follows: [follower_id: string, followed_id: string][] = [];
  /** results that no transaction of the workload may return */
  #surprises: string[] = [];

  constructor(graph: Graph) {
    this.#graph = graph;
  }

  /** The number of reposts of each post that has any. */
  get reposts(): ReadonlyMap<string, number> {
    return this.#reposts;
  }

  /** number of posts since the workload began */
  get posts(): number {
    return this.#posts;
  }

  posted(post_id: string, user: number, at_ms: number, reached: number): void {
    this.#posts++;
    this.#newestPosts.added(post_id, at_ms);
    this.#spread(post_id, user, at_ms, reached);
  }

  reposted(post_id: string, user: number, at_ms: number, reached: number): void {
    this.#reposts.set(post_id, (this.#reposts.get(post_id) ?? 0) + 1);
    this.#reposted.add(post_id);
    this.#spread(repostEntry(post_id, person(user).id), user, at_ms, reached);
  }

  #spread(entry_id: string, user: number, at_ms: number, reached: number): void {
    const times = this.#times.get(entry_id);
    if (times === undefined) this.#times.set(entry_id, new Set([at_ms]));
    else times.add(at_ms);
    this.#spreads.push({ entry_id, user, reached });
  }

  followed(follower_id: string, followed_id: string): void {
    this.#follows.push([follower_id, followed_id]);
  }

  joined(user_id: string, at_ms: number): void {
    this.#newestUsers.added(user_id, at_ms);
  }

  refused(what: string, why: string): void {
    this.#surprises.push(`${what} was refused: ${why}`);
  }

  async mismatches(claret: Claret): Promise<string[]> {
    const found = [
      ...(await this.#inSpreads(claret)),
      ...(await this.#inReposts(claret)),
      ...(await this.#inFollows(claret)),
      ...this.#surprises,
      ...(await this.#newestPosts.mismatches(claret)),
      ...(await this.#newestUsers.mismatches(claret)),
    ];
    this.#surprises = [];
    return found;
  }

  async #inSpreads(claret: Claret): Promise<string[]> {
    const spreads = this.#spreads;
    this.#spreads = [];
    const reads: Description<unknown>[] = [];
    for (const { entry_id, user } of spreads) {
      reads.push(
        claret.on.scoredSet(key.posts(person(user).id)).score(entry_id),
        claret.on.scoredSet(key.timeline(person(user).id)).score(entry_id),
      );
      // People who followed later are on the list of followers too, but may not have received the entry.
      for (const follower of this.#graph.followers[user]!)
        reads.push(claret.on.scoredSet(key.timeline(person(follower).id)).score(entry_id));
    }
    const scores = await readAll(claret, reads);
    let first = 0;
    return spreads.flatMap(({ entry_id, user, reached }) => {
      const followers = this.#graph.followers[user]!.length;
      const seen = scores.slice(first, (first += 2 + followers));
      const times = this.#times.get(entry_id)!;
      const wrong = seen.filter((score) => score === null || !times.has(timeOf(Number(score)))).length;
      if (wrong === 0 && reached >= followers) return [];
      return [
        `entry ${entry_id} of ${person(user).id}, told to have reached ${reached} followers of at least ${followers}, is missing, or has another time, on ${wrong} of ${seen.length} lists`,
      ];
    });
  }

  async #inReposts(claret: Claret): Promise<string[]> {
    const posts = [...this.#reposted];
    this.#reposted = new Set();
    const sizes = await readAll(
      claret,
      posts.map((post_id) => claret.on.set(key.post_reposts(post_id)).size()),
    );
    return posts.flatMap((post_id, i) => {
      const findings = repostCountFindings(post_id, this.#reposts.get(post_id)!, Number(sizes[i]));
      if (findings.length > 0) this.#reposts.set(post_id, Number(sizes[i]));
      return findings.map(sentenceOf);
    });
  }

  async #inFollows(claret: Claret): Promise<string[]> {
    const follows = this.#follows;
    this.#follows = [];
    const listed = await readAll(
      claret,
      follows.flatMap(([follower_id, followed_id]) => [
        claret.on.set(key.following(follower_id)).contains(followed_id),
        claret.on.set(key.followers(followed_id)).contains(follower_id),
      ]),
    );
    return follows.flatMap(([follower_id, followed_id], i) => {
      const [following, followers] = [listed[2 * i], listed[2 * i + 1]];
      if (following && followers) return [];
      const missing = following ? "the followers' list has not" : followers ? "the follower's list has not" : 'neither list has';
      return [`${follower_id} follows ${followed_id}, but ${missing}`];
    });
  }
}
