// Visitors: a few people of the data set who keep a demonstration alive. Some whom the demo accounts follow write now and then; their
// followers look at their timelines and repost, like the paper's users (section 6.3).
//
// They use the site's own actions, and the timelines they read are trimmed as usual: left alone for weeks, timelines stay short.
import type { Claret } from '@claret/client';
import { DEMO_NAMES } from '@claret/site/data/demo.ts';
import type { Random } from '@claret/site/data/random.ts';

import { findUser } from '../actions/view-person.ts';
import { post } from '../actions/post.ts';
import { repost } from '../actions/repost.ts';
import type { Usernames } from '../actions/usernames.ts';
import { timelinePage } from '../actions/view-page.ts';
import type { PostView, UserRef } from '../api.ts';
import { Writers } from '../data/texts.ts';
import { key } from '../model.ts';

const AUTHORS = 12;
const POSTS_PERCENT = 30;
/** Share of visitors that repost when their timeline shows something to repost. */
const REPOSTS_PERCENT = 60;
/** the chance to skip a post for the next less popular one */
const NEXT_RANK = 0.7;
/** the most members that one read of a Set returns */
const MEMBERS_MAX = 1_000;

export type VisitorAction =
  | { did: 'post'; by: string; post_id: string }
  | { did: 'repost'; by: string; post_id: string }
  | { did: 'look'; by: string };

export class Visitors {
  readonly #claret: Claret;
  readonly #usernames: Usernames;
  readonly #authors: readonly UserRef[];
  /** ids of the demo accounts, which are reserved for real users */
  readonly #demo: ReadonlySet<string>;
  readonly #random: Random;
  readonly #writers: Writers;

  private constructor(claret: Claret, usernames: Usernames, authors: readonly UserRef[], demo: ReadonlySet<string>, random: Random) {
    this.#claret = claret;
    this.#usernames = usernames;
    this.#authors = authors;
    this.#demo = demo;
    this.#random = random;
    this.#writers = new Writers(authors.length, random);
  }

  /** Null: there is no data set, so there are no visitors. */
  static async of(claret: Claret, usernames: Usernames, random: Random): Promise<Visitors | null> {
    const accounts = await Promise.all(DEMO_NAMES.map((username) => findUser(claret, { username })));
    const demo = new Set(accounts.flatMap((user) => user?.id ?? []));
    const followed = new Set<string>();
    for (const user_id of demo) {
      const [found] = await claret.transact('Visit', [claret.on.set(key.following(user_id)).members(MEMBERS_MAX, null)]);
      for (const id of found) if (!demo.has(id)) followed.add(id);
    }
    const ids = random.shuffle([...followed].toSorted()).slice(0, AUTHORS);
    const names = await usernames.of(claret, ids);
    const authors = ids.flatMap((id) => names.get(id) ?? []);
    return authors.length === 0 ? null : new Visitors(claret, usernames, authors, demo, random);
  }

  /** One visitor writes, looks around or reposts. */
  async act(): Promise<VisitorAction> {
    const author = this.#random.integer(0, this.#authors.length - 1);
    if (this.#random.chance(POSTS_PERCENT / 100)) return this.#post(author);
    const by = this.#authors[author]!;
    return this.#look((await this.#followerOf(by)) ?? by.id);
  }

  async #post(author: number): Promise<VisitorAction> {
    const by = this.#authors[author]!;
    const { post_id } = await post(this.#claret, {
      author: by,
      text: this.#writers.write(author),
      posted_at_ms: this.#claret.clock.nowMs(key.posts(by.id)),
    });
    return { did: 'post', by: by.id, post_id };
  }

  async #followerOf({ id }: UserRef): Promise<string | undefined> {
    const [followers] = await this.#claret.transact('Visit', [this.#claret.on.set(key.followers(id)).members(MEMBERS_MAX, null)]);
    const others = followers.filter((follower) => !this.#demo.has(follower));
    return others.length === 0 ? undefined : this.#random.pick(others);
  }

  async #look(user_id: string): Promise<VisitorAction> {
    const { entries } = await timelinePage(this.#claret, this.#usernames, { user_id, after: null });
    const chosen = this.#chosen(entries.map((entry) => entry.post).filter(({ author, reposted }) => author.id !== user_id && !reposted));
    if (chosen === undefined || !this.#random.chance(REPOSTS_PERCENT / 100)) return { did: 'look', by: user_id };
    const { refused } = await repost(this.#claret, {
      user_id,
      post_id: chosen.id,
      reposted_at_ms: this.#claret.clock.nowMs(key.posts(user_id)),
      reposts_seen: chosen.reposts,
    });
    return refused === null ? { did: 'repost', by: user_id, post_id: chosen.id } : { did: 'look', by: user_id };
  }

  /** A post to repost, mostly one of the most popular. */
  #chosen(posts: readonly PostView[]): PostView | undefined {
    const ranked = posts.toSorted((a, b) => b.reposts - a.reposts);
    let rank = 0;
    while (this.#random.chance(NEXT_RANK)) rank++;
    return ranked[Math.min(rank, ranked.length - 1)];
  }
}
