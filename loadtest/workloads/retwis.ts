// retwis (the paper, section 6.3): people of a Kronecker graph look at their timelines, post, repost popular posts, follow and
// join. This file decides which transaction runs when; the transactions are the site's own.
//
// The user model is the paper's: a person who has looked at a timeline ranks its posts by their number of reposts and reposts the
// most popular ones. Their number is drawn from a geometric distribution, whose mean makes the share of reposts that of the paper's
// Table 3. If a timeline has too few posts, the next timeline makes up for it.

import type { Claret } from '@claret/client';
import { follow } from '../../apps/retwis/server/actions/follow.ts';
import { newUser } from '../../apps/retwis/server/actions/new-user.ts';
import { post } from '../../apps/retwis/server/actions/post.ts';
import { repost } from '../../apps/retwis/server/actions/repost.ts';
import { viewTimeline } from '../../apps/retwis/server/actions/timeline.ts';
import type { PostView } from '../../apps/retwis/server/api.ts';
import { key } from '../../apps/retwis/server/model.ts';
import { readAll } from '../kit/checking.ts';
import type { Graph } from '../../apps/retwis/server/data/graph.ts';
import { Mix } from './mix.ts';
import { RetwisCheck } from './retwis-check.ts';
import { EPOCH_MS, loadGraph, person } from './retwis-data.ts';
import { RETWIS_MIXES, type RetwisKind, type RetwisMix } from './retwis-mixes.ts';

/** Limit on the queue of wanted reposts; further ones are dropped. */
const WANTED_MAX = 1_024;

interface Wanted {
  user: number;
  post_id: string;
  reposts_seen: number;
}

export class Retwis {
  readonly #graph: Graph;
  readonly #random: () => number;
  readonly #mix: Mix<Exclude<RetwisKind, 'repost'>>;
  /** the probability of one more repost after a timeline */
  readonly #again: number;
  readonly #check: RetwisCheck;
  readonly #wanted: Wanted[] = [];
  /** drawn reposts for which a timeline had no post */
  #owed = 0;
  #joined = 0;
  /** a logical time, distinct for each post, repost and newcomer */
  #now_ms: number;

  constructor(graph: Graph, mix: RetwisMix, random: () => number) {
    this.#graph = graph;
    this.#random = random;
    const { repost: reposts, ...others } = RETWIS_MIXES[mix];
    // Reposts follow from timelines; the other kinds are drawn by their relative shares.
    const scale = 100 / (100 - reposts);
    this.#mix = new Mix({
      timeline: others.timeline * scale,
      post: others.post * scale,
      follow: others.follow * scale,
      new_user: others.new_user * scale,
    });
    this.#again = reposts / (reposts + others.timeline);
    this.#check = new RetwisCheck(graph);
    this.#now_ms = EPOCH_MS + graph.users;
  }

  /** Loads all people, the follow relations, and a post of each person into the store. */
  static load(claret: Claret, graph: Graph, onProgress: (done: number, total: number) => void = () => {}): Promise<void> {
    return loadGraph(claret, graph, onProgress);
  }

  /** Draws the kind of the next transaction; `run` does so by default. */
  draw(): RetwisKind {
    return this.#wanted.length > 0 ? 'repost' : this.#mix.draw(this.#random());
  }

  /** Runs one transaction; each post of a timeline is loaded in a separate one. Rejects with `ClaretError`. */
  async run(claret: Claret, kind: RetwisKind = this.draw()): Promise<void> {
    switch (kind) {
      case 'timeline':
        return this.#look(claret);
      case 'repost':
        return this.#repost(claret);
      case 'post': {
        const author = this.#user();
        const posted_at_ms = ++this.#now_ms;
        const { post_id, reached } = await post(claret, { author: person(author), text: 'Another one.', posted_at_ms });
        return this.#check.posted(post_id, author, posted_at_ms, reached);
      }
      case 'follow': {
        const [follower_id, followed_id] = [person(this.#user()).id, person(this.#user()).id];
        const followed = await follow(claret, { follower_id, followed_id });
        if (followed.refused === null) this.#check.followed(follower_id, followed_id);
        else if (followed.refused === 'unknown_user') this.#check.refused(`following ${followed_id}`, followed.refused);
        return;
      }
      case 'new_user': {
        const username = `n${this.#joined++}.${Math.floor(this.#random() * 2 ** 32)}`;
        const joined_at_ms = ++this.#now_ms;
        const joined = await newUser(claret, { username, credentials: null, joined_at_ms });
        if (joined.refused === null) this.#check.joined(joined.user_id, joined_at_ms);
        else this.#check.refused(`joining as ${username}`, joined.refused);
      }
    }
  }

  async #look(claret: Claret): Promise<void> {
    const user = this.#user();
    const { entries } = await viewTimeline(claret, { user_id: person(user).id, after: null });
    let reposts = this.#owed;
    while (this.#random() < this.#again) reposts++;
    if (reposts === 0) return;
    const ranked = entries
      .map((entry) => entry.post)
      .filter(({ reposted }) => !reposted)
      .sort(byReposts)
      .slice(0, reposts);
    this.#owed = reposts - ranked.length;
    for (const { id, reposts: reposts_seen } of ranked) {
      if (this.#wanted.length < WANTED_MAX) this.#wanted.push({ user, post_id: id, reposts_seen });
    }
  }

  async #repost(claret: Claret): Promise<void> {
    const wanted = this.#wanted.pop();
    if (wanted === undefined) return this.#look(claret);
    const { user, post_id, reposts_seen } = wanted;
    const reposted_at_ms = ++this.#now_ms;
    const reposted = await repost(claret, { user_id: person(user).id, post_id, reposts_seen, reposted_at_ms });
    if (reposted.refused === null) this.#check.reposted(post_id, user, reposted_at_ms, reposted.reached);
    // A person may have reposted it twice at once.
    else if (reposted.refused !== 'already_reposted') this.#check.refused(`reposting ${post_id}`, reposted.refused);
  }

  #user(): number {
    return Math.floor(this.#random() * this.#graph.users);
  }

  /** The current number of reposts of each post, including those from before the workload. */
  async repostsOfPosts(claret: Claret): Promise<number[]> {
    const reposted = [...this.#check.reposts.keys()];
    const counts = (
      await readAll(
        claret,
        reposted.map((post_id) => claret.on.set(key.post_reposts(post_id)).size()),
      )
    ).map(Number);
    return [...counts, ...new Array<number>(this.#graph.users + this.#check.posts - reposted.length).fill(0)];
  }

  /**
   * Differences between stored and acknowledged data, in the changes since the last call (retwis-check.ts). Call after all begun
   * transactions have ended.
   */
  mismatches(claret: Claret): Promise<string[]> {
    return this.#check.mismatches(claret);
  }
}

const byReposts = (a: PostView, b: PostView): number => b.reposts - a.reposts;
