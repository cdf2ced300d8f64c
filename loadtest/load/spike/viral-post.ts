// A post that gets attention: a person with many followers posts on the timelines, and the followers look at the post, repost it and undo
// that, all by the site's own transactions. Of the viral post half of the transactions are looks, of the popular post nearly all. It is a real post of a demo account, and visitors find it. If nobody has followers, a few
// accounts without credentials are registered first. The reposters are followers with few followers of their own, so that
// transactions conflict at the post, not at the timelines of their followers.

import type { Claret } from '@claret/client';
import { findAccount } from '../../../apps/retwis/server/actions/find-account.ts';
import { follow } from '../../../apps/retwis/server/actions/follow.ts';
import { newUser } from '../../../apps/retwis/server/actions/new-user.ts';
import { post } from '../../../apps/retwis/server/actions/post.ts';
import { repost, undoRepost } from '../../../apps/retwis/server/actions/repost.ts';
import { viewPost } from '../../../apps/retwis/server/actions/view-post.ts';
import { key } from '../../../apps/retwis/server/model.ts';
import { readAll } from '../../kit/checking.ts';
import { mapAtOnce } from '../../kit/at-once.ts';
import { commitStateOf } from './commit-state.ts';
import { RepostCheck } from './repost-check.ts';
import type { Checked, SitePage, Spike, SpikeOptions } from './spike.ts';

const TEXT = 'If you can read this, repost it. (A load spike from the dashboard: let’s see how far it gets.)';
/** A demo account, which the data set makes follow famous people. */
const DEMO_NAME = 'demo1';
const AUTHOR = 'spike_author';
const fanName = (number: number) => `spike_fan${number + 1}`;
const FANS_MADE = 64;
/** Limit of one read of a Set. */
const MEMBERS_MAX = 1_000;
const FANS_MAX = 64;
/** Shares of looks; the rest are reposts and undos. */
const VIRAL_LOOKS = 0.5;
const POPULAR_LOOKS = 0.9995;

interface Person {
  id: string;
  username: string;
}

export const viralPost = (claret: Claret, options: SpikeOptions): Promise<Spike> => attention(claret, options, VIRAL_LOOKS);
export const popularPost = (claret: Claret, options: SpikeOptions): Promise<Spike> => attention(claret, options, POPULAR_LOOKS);

async function attention(claret: Claret, { clients, random }: SpikeOptions, looks: number): Promise<Spike> {
  const author = (await mostFollowed(claret)) ?? (await somebodyFollowed(claret, Math.min(clients, FANS_MADE)));
  const [followers] = await claret.transact('Followers', [claret.on.set(key.followers(author.id)).members(MEMBERS_MAX)]);
  const fans = (await byFollowers(claret, followers)).slice(0, FANS_MAX);
  const { post_id } = await post(claret, { author, text: TEXT, posted_at_ms: claret.clock.nowMs(key.posts(author.id)) });
  return new Attention(post_id, fans, looks, random);
}

/** The most followed person among those whom the demo account follows. Null: there is none. */
async function mostFollowed(claret: Claret): Promise<Person | null> {
  const demo = await findAccount(claret, { username: DEMO_NAME });
  if (demo === null) return null;
  const [followed] = await claret.transact('Following', [claret.on.set(key.following(demo.person.id)).members(MEMBERS_MAX)]);
  const most = (await byFollowers(claret, followed)).at(-1);
  if (most === undefined) return null;
  const [[username]] = await claret.transact('Profile', [claret.on.dict(key.profile(most)).get('username')]);
  return { id: most, username: String(username) };
}

/** Sorted by number of followers, fewest first. */
async function byFollowers(claret: Claret, user_ids: readonly string[]): Promise<string[]> {
  const counts = await readAll(
    claret,
    user_ids.map((id) => claret.on.set(key.followers(id)).size()),
  );
  return user_ids
    .map((id, i) => ({ id, count: Number(counts[i]) }))
    .sort((a, b) => a.count - b.count)
    .map(({ id }) => id);
}

async function somebodyFollowed(claret: Claret, fans: number): Promise<Person> {
  const author = await account(claret, AUTHOR);
  await mapAtOnce(fans, async (number) => {
    const { id } = await account(claret, fanName(number));
    await follow(claret, { follower_id: id, followed_id: author.id });
  });
  return author;
}

/** The person with that username, registered if missing. */
async function account(claret: Claret, username: string): Promise<Person> {
  const there = await findAccount(claret, { username });
  if (there !== null) return there.person;
  const joined = await newUser(claret, { username, credentials: null, joined_at_ms: claret.clock.nowMs(key.username(username)) });
  if (joined.refused !== null) return account(claret, username); // registered concurrently
  return { id: joined.user_id, username };
}

class Attention implements Spike {
  readonly page: SitePage;
  readonly #post_id: string;
  /** the share of transactions that look */
  readonly #looks: number;
  readonly #random: () => number;
  readonly #check: RepostCheck;
  /** fans without an action in flight: each person does one thing at a time */
  readonly #idle: string[];
  #reposts_seen = 0;

  constructor(post_id: string, fans: readonly string[], looks: number, random: () => number) {
    this.page = { site: 'timelines', path: `/p/${post_id}`, title: TEXT };
    this.#post_id = post_id;
    this.#looks = looks;
    this.#random = random;
    this.#idle = [...fans];
    this.#check = new RepostCheck(post_id, fans);
  }

  async run(claret: Claret): Promise<void> {
    // A look may be answered from memory, without a turn of the event loop. People's requests come one by one.
    await new Promise((resolve) => setImmediate(resolve));
    const fan = this.#random() < this.#looks ? undefined : this.#takeFan();
    if (fan === undefined) return this.#look(claret);
    try {
      await (this.#check.hasReposted(fan) ? this.#undo(claret, fan) : this.#repost(claret, fan));
      this.#idle.push(fan);
    } catch (error) {
      // Fans with an unknown outcome are not used again.
      if (commitStateOf(error) === 'unknown') this.#check.unsure(fan);
      else this.#idle.push(fan);
      throw error;
    }
  }

  /** Takes a random idle fan; the last one moves into the gap. */
  #takeFan(): string | undefined {
    const idle = this.#idle;
    if (idle.length === 0) return undefined;
    const index = Math.floor(this.#random() * idle.length);
    const taken = idle[index]!;
    const last = idle.pop()!;
    if (index < idle.length) idle[index] = last;
    return taken;
  }

  async #look(claret: Claret): Promise<void> {
    const seen = await viewPost(claret, { post_id: this.#post_id, viewer_id: null });
    if (seen === null) this.#check.surprised('the post is not there');
    else this.#reposts_seen = seen.reposts;
  }

  async #repost(claret: Claret, fan: string): Promise<void> {
    const input = {
      user_id: fan,
      post_id: this.#post_id,
      reposted_at_ms: claret.clock.nowMs(key.posts(fan)),
      reposts_seen: this.#reposts_seen,
    };
    const { refused } = await repost(claret, input).catch(appliedAnyway);
    if (refused === null) this.#check.reposted(fan, true);
    else this.#check.surprised(`a repost was refused: ${refused}`);
  }

  async #undo(claret: Claret, fan: string): Promise<void> {
    const { refused } = await undoRepost(claret, { user_id: fan, post_id: this.#post_id }).catch(appliedAnyway);
    if (refused === null) this.#check.reposted(fan, false);
    else this.#check.surprised(`undoing a repost was refused: ${refused}`);
  }

  check(claret: Claret): Promise<Checked> {
    return this.#check.check(claret);
  }

  /** All data belongs to the site. */
  async clearUp(): Promise<void> {}
}

/** Committed: only the response was lost. */
function appliedAnyway(error: unknown): { refused: null } {
  if (commitStateOf(error) === 'applied') return { refused: null };
  throw error;
}
