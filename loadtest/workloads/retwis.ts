// retwis (the paper, section 6.3): people of a Kronecker graph look at their timelines, post, repost what is popular,
// follow and join. Which transaction runs when is decided here; the transactions are the site's own.
//
// User model, as in the paper: whoever looks at a timeline ranks the posts by how often they have been reposted already,
// and reposts the most popular ones, their number drawn from a geometric distribution. Here the share of reposts in the
// mix decides when; what was seen in a timeline and would be reposted waits in a list of bounded length until then.

import type { Claret } from '@claret/client';
import { follow } from '../../apps/retwis/server/actions/follow.ts';
import { newUser } from '../../apps/retwis/server/actions/new-user.ts';
import { post } from '../../apps/retwis/server/actions/post.ts';
import { repost } from '../../apps/retwis/server/actions/repost.ts';
import { viewTimeline } from '../../apps/retwis/server/actions/timeline.ts';
import { key } from '../../apps/retwis/server/model.ts';
import { readAll, throwFirst } from './checking.ts';
import type { Graph } from './kronecker.ts';
import { drawFrom, type Mix } from './mix.ts';

/** Shares of all transactions, in percent (the paper, Table 3, with its "< 1 %" and "< 0.1 %" as 1 and 0.1; the rest is Timeline). */
const RETWIS_MIXES = {
  'post-heavy': { timeline: 90, repost: 6, post: 2, follow: 1, new_user: 1 },
  'read-heavy': { timeline: 98, repost: 1, post: 0.5, follow: 0.2, new_user: 0.1 },
} as const;
export type RetwisMix = keyof typeof RETWIS_MIXES;
type Kind = keyof (typeof RETWIS_MIXES)[RetwisMix];

/** Of the geometric distribution: the chance that one more post of a timeline is reposted. */
const REPOST_AGAIN = 0.5;
const WANTED_MAX = 1_024;
const LOADED_AT_ONCE = 256;

interface Wanted {
  user_id: string;
  post_id: string;
  reposts_seen: number;
}

const idOf = (user: number) => `u${user}`;

export class Retwis {
  readonly #graph: Graph;
  readonly #random: () => number;
  readonly #mix: Mix<Kind>;
  readonly #wanted: Wanted[] = [];
  #joined = 0;
  #posted = 0;
  /** posts that were acknowledged, with their author and how many timelines they came to */
  readonly posts: { post_id: string; author: number; reached: number }[] = [];
  /** how many of them have been checked */
  #checked = 0;

  constructor(graph: Graph, mix: RetwisMix, random: () => number) {
    this.#graph = graph;
    this.#random = random;
    this.#mix = RETWIS_MIXES[mix];
  }

  /** Puts everybody and who follows whom into the store. */
  static async load(claret: Claret, graph: Graph, onProgress: (done: number, total: number) => void = () => {}): Promise<void> {
    const following: number[][] = Array.from({ length: graph.users }, () => []);
    graph.followers.forEach((followers, user) => followers.forEach((follower) => following[follower]!.push(user)));
    for (let first = 0; first < graph.users; first += LOADED_AT_ONCE) {
      const users = Array.from({ length: Math.min(LOADED_AT_ONCE, graph.users - first) }, (_, i) => first + i);
      await Promise.all(users.flatMap((user) => {
        const id = idOf(user);
        const lists: [string, ArrayLike<number>][] = [[key.followers(id), graph.followers[user]!], [key.following(id), following[user]!]];
        return [
          claret.transact('Load', [claret.on.dict(key.profile(id)).set({ username: id, joined_at_ms: 0 })]),
          ...lists.flatMap(([set, others]) => pages(Array.from(others)).map((page) =>
            claret.transact('Load', page.map((other) => claret.on.set(set).add(idOf(other)))))),
        ];
      }));
      onProgress(first + users.length, graph.users);
    }
  }

  /** Runs the next transaction of the mix. Rejects with `ClaretError`. */
  async run(claret: Claret): Promise<void> {
    const now_ms = Date.now();
    switch (drawFrom(this.#mix, this.#random())) {
      case 'timeline':
        return this.#look(claret);
      case 'repost': {
        const wanted = this.#wanted.pop();
        if (wanted === undefined) return this.#look(claret);
        await repost(claret, { ...wanted, reposted_at_ms: now_ms });
        return;
      }
      case 'post': {
        const author = this.#user();
        const { post_id, reached } = await post(claret, { author: { id: idOf(author), username: idOf(author) }, text: `post ${this.#posted++}`, posted_at_ms: now_ms });
        this.posts.push({ post_id, author, reached });
        return;
      }
      case 'follow':
        await follow(claret, { follower_id: idOf(this.#user()), followed_id: idOf(this.#user()) });
        return;
      case 'new_user':
        await newUser(claret, { username: `n${this.#joined++}.${Math.floor(this.#random() * 2 ** 32)}`, credentials: null, joined_at_ms: now_ms });
    }
  }

  async #look(claret: Claret): Promise<void> {
    const user_id = idOf(this.#user());
    const seen = await viewTimeline(claret, { user_id });
    const ranked = seen.filter(({ reposted }) => !reposted).sort((a, b) => b.reposts - a.reposts);
    for (const { id, reposts } of ranked) {
      if (this.#random() >= REPOST_AGAIN) return;
      if (this.#wanted.length < WANTED_MAX) this.#wanted.push({ user_id, post_id: id, reposts_seen: reposts });
    }
  }

  #user(): number {
    return Math.floor(this.#random() * this.#graph.users);
  }

  /**
   * Each acknowledged post is on every timeline that it was told to have come to; what is otherwise. Looks at the posts
   * since it was called last.
   */
  async mismatches(claret: Claret): Promise<string[]> {
    const posts = this.posts.slice(this.#checked);
    this.#checked = this.posts.length;
    // Who has followed since is on the list of followers too, but did not get the post.
    const timelines = posts.map(({ author }) => [author, ...this.#graph.followers[author]!]);
    const scores = await readAll(claret, posts.flatMap(({ post_id }, i) =>
      timelines[i]!.map((user) => claret.on.scoredSet(key.timeline(idOf(user))).score(post_id))));
    let first = 0;
    return posts.flatMap(({ post_id, author, reached }, i) => {
      const wanted = timelines[i]!.length;
      const missing = scores.slice(first, (first += wanted)).filter((score) => score === null).length;
      if (missing === 0 && reached >= wanted - 1) return [];
      return [`post ${post_id} of ${idOf(author)}, told to have reached ${reached}, is missing on ${missing} of ${wanted} timelines`];
    });
  }

  /** How often each acknowledged post has been reposted by now. */
  async repostsOfPosts(claret: Claret): Promise<number[]> {
    return (await readAll(claret, this.posts.map(({ post_id }) => claret.on.set(key.post_reposts(post_id)).size()))).map(Number);
  }

  /** Throws where there are mismatches. */
  async check(claret: Claret): Promise<void> {
    throwFirst(await this.mismatches(claret));
  }
}

function pages(all: number[]): number[][] {
  const size = 1_000;
  return Array.from({ length: Math.ceil(all.length / size) }, (_, page) => all.slice(page * size, (page + 1) * size));
}
