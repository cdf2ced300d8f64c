// The topics of this app server's live streams: each is watched and encoded once, however many viewers it has.
import type { Claret } from '@claret/client';
import { WatchedRecords } from '@claret/site/live/records.ts';
import { Topics, type Look, type OnTopicError, type Topic } from '@claret/site/live/topic.ts';

import { rankTrending, TRENDING_CANDIDATES } from '../actions/view-page.ts';
import { LIMITS, type LiveEvents } from '../api.ts';
import { key, timeOf } from '../model.ts';

/** An event's data; the time is added when it is encoded. */
type EventData<Name extends keyof LiveEvents> = Omit<LiveEvents[Name], 'server_time_ms'>;

// A stream starts after this time even if the store cannot be reached.
const NAMES_TIMEOUT_MS = 1_000;

const itself = <Data>(data: Data): Data => data;

export class LiveTopics {
  readonly #claret: Claret;
  readonly #records: WatchedRecords;
  readonly #topics: Topics;

  constructor(claret: Claret, onError: OnTopicError) {
    this.#claret = claret;
    this.#records = new WatchedRecords(claret);
    this.#topics = new Topics(this.#records, onError);
  }

  /** topics with at least one viewer */
  get size(): number {
    return this.#topics.size;
  }

  /** watched records, for tests and operators */
  get recordCount(): number {
    return this.#records.size;
  }

  timeline(user_id: string): Topic<EventData<'timeline'>> {
    const newest = this.#claret.on.scoredSet(key.timeline(user_id)).range(0, LIMITS.live_entries_max - 1);
    const compose = (look: Look) => {
      const entries = look(newest);
      return entries && { entries: entries.map(([id, score]) => ({ id, at_ms: timeOf(score) })) };
    };
    return this.#topics.get({ event: 'timeline', key: user_id, compose, data: itself });
  }

  latest(): Topic<EventData<'latest'>> {
    const newest = this.#claret.on.topK(key.newest_posts).top(LIMITS.live_entries_max);
    const compose = (look: Look) => {
      const entries = look(newest);
      return entries && { entries: entries.map(([id, at_ms]) => ({ id, at_ms: Number(at_ms) })) };
    };
    return this.#topics.get({ event: 'latest', key: '', compose, data: itself });
  }

  /** in the order of the list of trending posts */
  trending(): Topic<EventData<'trending'>> {
    const { on } = this.#claret;
    const hottest = on.topK(key.trending).top(TRENDING_CANDIDATES);
    const compose = (look: Look) => {
      const posts = look(hottest)?.map(([id]) => {
        const [posted_at_ms] = look(on.dict(key.post_info(id)).get('posted_at_ms')) ?? [];
        return { id, posted_at_ms, reposts: look(on.set(key.post_reposts(id)).size()) };
      });
      if (posts === undefined || posts.some(({ posted_at_ms, reposts }) => posted_at_ms === undefined || reposts === undefined))
        return undefined;
      const ranked = rankTrending(
        posts.map(({ id, posted_at_ms, reposts }) => ({ id, posted_at_ms: Number(posted_at_ms), reposts: Number(reposts) })),
      );
      return { post_ids: ranked.map(({ id }) => id) };
    };
    return this.#topics.get({ event: 'trending', key: '', compose, data: itself });
  }

  post(post_id: string): Topic<EventData<'post'>> {
    const size = this.#claret.on.set(key.post_reposts(post_id)).size();
    const compose = (look: Look) => {
      const reposts = look(size);
      return reposts === undefined ? undefined : { post_id, reposts: Number(reposts) };
    };
    return this.#topics.get({ event: 'post', key: post_id, compose, data: itself });
  }

  user(user_id: string): Topic<EventData<'user'>> {
    const { on } = this.#claret;
    const sizes = [on.set(key.followers(user_id)).size(), on.set(key.following(user_id)).size()] as const;
    const compose = (look: Look) => {
      const [followers, following] = [look(sizes[0]), look(sizes[1])];
      if (followers === undefined || following === undefined) return undefined;
      return { user_id, followers: Number(followers), following: Number(following) };
    };
    return this.#topics.get({ event: 'user', key: user_id, compose, data: itself });
  }

  /**
   * The given ids that exist; ids with a topic are not looked up again. If the store does not answer in time, all ids count as existing:
   * their topics show nothing before the store answers.
   */
  async existing(ids: { posts: readonly string[]; users: readonly string[] }): Promise<{ posts: string[]; users: string[] }> {
    const { on } = this.#claret;
    const posts = ids.posts.filter((id) => !this.#topics.has('post', id));
    const users = ids.users.filter((id) => !this.#topics.has('user', id));
    const names = [...posts.map((id) => `post ${id}`), ...users.map((id) => `user ${id}`)];
    const reads = [
      ...posts.map((id) => on.dict(key.post_info(id)).get('author_id')),
      ...users.map((id) => on.dict(key.profile(id)).get('username')),
    ];
    const answers =
      reads.length === 0 ? [] : await this.#claret.transact('LiveNames', reads, { timeoutMs: NAMES_TIMEOUT_MS }).catch(() => []);
    const unknown = new Set(names.filter((_, i) => answers[i] !== undefined && answers[i][0] == null));
    return {
      posts: ids.posts.filter((id) => !unknown.has(`post ${id}`)),
      users: ids.users.filter((id) => !unknown.has(`user ${id}`)),
    };
  }

  close(): void {
    this.#records.close();
  }
}
