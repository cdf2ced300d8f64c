// Writes a data set into the store, through the client, in the layout of model.ts.
//
// The result is the same as if the site's actions had made it, with less work: the additions of many transactions to one record are made at
// once, lists that keep the newest or the highest get only those, and timelines only what a reader's trim would have left. Usernames come
// last, so that logging in is impossible before the data set is complete.
import type { Claret, Description } from '@claret/client';
import { DEMO_NAMES } from '@claret/site/data/demo.ts';
import { writeAll } from '@claret/site/data/writing.ts';

import { heat, key, NEWEST_MAX, repostEntry, scoreAt, TIMELINE_MAX } from '../model.ts';
import type { DataSet } from './generate.ts';
import { followingOf } from './people.ts';

type Work = Iterable<Description<unknown>>;

/** on timelines, by index into `entries` */
type Entry = { id: string; by: number; in_ms: number };

export type StoreOptions = {
  /** the time that the data set's times are relative to */
  now_ms: number;
  /** of the demo accounts */
  demo_credentials: string | null;
  onStep?: (what: string, operations: number) => void;
};

export class Store {
  readonly #claret: Claret;
  readonly #data: DataSet;
  readonly #options: StoreOptions;
  readonly #following: readonly Uint32Array[];
  /** in the order of time */
  readonly #entries: readonly Entry[];
  /** the entries of each person */
  readonly #own: readonly (readonly number[])[];
  /** the reposters of each post */
  readonly #reposters: readonly (readonly number[])[];

  constructor(claret: Claret, data: DataSet, options: StoreOptions) {
    this.#claret = claret;
    this.#data = data;
    this.#options = options;
    this.#following = followingOf(data.society);
    this.#entries = entriesOf(data);
    const own: number[][] = data.society.people.map(() => []);
    this.#entries.forEach(({ by }, i) => own[by]!.push(i));
    this.#own = own;
    const reposters: number[][] = data.posts.map(() => []);
    for (const { post, by } of data.reposts) reposters[post]!.push(by);
    this.#reposters = reposters;
  }

  async write(): Promise<void> {
    const steps: [what: string, work: Work][] = [
      ['people', this.#people()],
      ['posts', this.#posts()],
      ['timelines', this.#timelines()],
      ['lists', this.#lists()],
      ['usernames', this.#usernames()],
    ];
    for (const [what, work] of steps) await writeAll(this.#claret, work, (operations) => this.#options.onStep?.(what, operations));
  }

  /** The number of operations that `write` will report. */
  count(): number {
    const { society, posts, reposts } = this.#data;
    const follows = society.followers.reduce((sum, { length }) => sum + length, 0);
    const demo = this.#options.demo_credentials === null ? 0 : DEMO_NAMES.length;
    const timelines = this.#own.reduce((sum, own, user) => sum + own.length + Math.min(TIMELINE_MAX, this.#lengthOf(user)), 0);
    const lists = [...this.#lists()].length;
    return 2 * society.users + demo + 2 * follows + posts.length + reposts.length + timelines + lists;
  }

  *#people(): Work {
    const { on } = this.#claret;
    const { now_ms, demo_credentials } = this.#options;
    const { people, followers } = this.#data.society;
    for (const [i, { id, username, joined_in_ms }] of people.entries()) {
      yield on.dict(key.profile(id)).set({ username, joined_at_ms: now_ms + joined_in_ms });
      if (demo_credentials !== null && i < DEMO_NAMES.length) yield on.register(key.credentials(id)).set(demo_credentials);
      const theirFollowers = on.set(key.followers(id));
      for (const follower of followers[i]!) yield theirFollowers.add(people[follower]!.id);
      const theirFollowing = on.set(key.following(id));
      for (const followed of this.#following[i]!) yield theirFollowing.add(people[followed]!.id);
    }
  }

  *#posts(): Work {
    const { on } = this.#claret;
    const { people } = this.#data.society;
    for (const [i, { id, author, text, in_ms }] of this.#data.posts.entries()) {
      const { id: author_id, username: author_username } = people[author]!;
      const posted_at_ms = this.#options.now_ms + in_ms;
      yield on.dict(key.post_info(id)).set({ author_id, author_username, text, posted_at_ms });
      const reposts = on.set(key.post_reposts(id));
      for (const by of this.#reposters[i]!) yield reposts.add(people[by]!.id);
    }
  }

  *#timelines(): Work {
    const { on } = this.#claret;
    const { people } = this.#data.society;
    for (const [user, { id }] of people.entries()) {
      const posts = on.scoredSet(key.posts(id));
      for (const entry of this.#own[user]!) yield posts.add(...this.#scored(entry));
      const timeline = on.scoredSet(key.timeline(id));
      for (const entry of this.#timelineOf(user)) yield timeline.add(...this.#scored(entry));
    }
  }

  #lengthOf(user: number): number {
    let length = this.#own[user]!.length;
    for (const followed of this.#following[user]!) length += this.#own[followed]!.length;
    return length;
  }

  #timelineOf(user: number): Uint32Array {
    const timeline = new Uint32Array(this.#lengthOf(user));
    let at = 0;
    const put = (entries: readonly number[]): void => {
      timeline.set(entries, at);
      at += entries.length;
    };
    put(this.#own[user]!);
    for (const followed of this.#following[user]!) put(this.#own[followed]!);
    return timeline.length > TIMELINE_MAX ? timeline.sort().slice(-TIMELINE_MAX) : timeline;
  }

  #scored(entry: number): [item: string, score: number] {
    const { id, in_ms } = this.#entries[entry]!;
    return [id, scoreAt(this.#options.now_ms + in_ms)];
  }

  *#lists(): Work {
    const { on } = this.#claret;
    const { now_ms } = this.#options;
    const { posts, society } = this.#data;
    const newest = on.topK(key.newest_posts);
    for (const { id, in_ms } of posts.slice(-NEWEST_MAX)) yield newest.add(id, now_ms + in_ms);
    const users = on.topK(key.newest_users);
    const joined = society.people.toSorted((a, b) => b.joined_in_ms - a.joined_in_ms).slice(0, NEWEST_MAX);
    for (const { id, joined_in_ms } of joined) yield users.add(id, now_ms + joined_in_ms);
    const trending = on.topK(key.trending);
    const hot = posts.flatMap(({ id, in_ms }, post) => {
      const reposts = this.#reposters[post]!.length;
      return reposts === 0 ? [] : [{ id, score: heat(now_ms + in_ms, reposts) }];
    });
    for (const { id, score } of hot.sort((a, b) => b.score - a.score).slice(0, NEWEST_MAX)) yield trending.add(id, score);
  }

  *#usernames(): Work {
    // A username that was registered before the data set was loaded keeps its owner.
    for (const { id, username } of this.#data.society.people) {
      yield this.#claret.on.register(key.username(username)).compareAndSet(null, id);
    }
  }
}

function entriesOf({ society, posts, reposts }: DataSet): Entry[] {
  const posted = posts.map(({ id, author, in_ms }): Entry => ({ id, by: author, in_ms }));
  const reposted = reposts.map(({ post, by, in_ms }): Entry => ({ id: repostEntry(posts[post]!.id, society.people[by]!.id), by, in_ms }));
  return [...posted, ...reposted].sort((a, b) => a.in_ms - b.in_ms);
}
