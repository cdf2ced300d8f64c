// Post: publishes a post on the timelines of all followers of its author, or of none (the paper, section 6.3).
import type { Claret, Tx } from '@claret/client';
import type { NamedRequest } from '@claret/site/once.ts';

import type { UserRef } from '../api.ts';
import { hashtags } from '../hashtags.ts';
import { key } from '../model.ts';
import { firstFollowers, spread } from './fan-out.ts';
import { refuse, type Outcome } from './outcome.ts';

export type PostInput = {
  author: UserRef;
  text: string;
  posted_at_ms: number;
};

export type PostResult = {
  post_id: string;
  posted_at_ms: number;
  /** the followers whose timelines this transaction wrote to */
  reached: number;
};

/** Every call posts. */
export function post(claret: Claret, input: PostInput): Promise<PostResult> {
  return claret.transaction('Post', (tx) => publish(tx, input, tx.newId()));
}

/**
 * The post that the request has made, before or now. Refused with key_expired if its key is no longer taken and it has made none: then it never
 * will.
 */
export function postOnce(claret: Claret, input: PostInput, request: NamedRequest): Promise<Outcome<PostResult, 'key_expired'>> {
  const { name, once, expired } = request;
  const body = async (tx: Tx): Promise<Outcome<PostResult, 'key_expired'>> => {
    if (expired === null) return { refused: null, ...(await publish(tx, input, name)) };
    const [posted_at] = await tx.dict(key.post_info(name)).get('posted_at_ms');
    if (posted_at === null || posted_at === undefined) return refuse('key_expired');
    return { refused: null, post_id: name, posted_at_ms: Number(posted_at), reached: 0 };
  };
  return claret.transaction('Post', body, once);
}

async function publish(tx: Tx, { author, text, posted_at_ms }: PostInput, post_id: string): Promise<PostResult> {
  const followers = await firstFollowers(tx, author.id);
  tx.dict(key.post_info(post_id)).set({ author_id: author.id, author_username: author.username, text, posted_at_ms });
  tx.topK(key.newest_posts).add(post_id, posted_at_ms);
  for (const tag of hashtags(text)) tx.topK(key.tagged_posts(tag)).add(post_id, posted_at_ms);
  const reached = await spread(tx, { id: post_id, at_ms: posted_at_ms }, author.id, followers);
  return { post_id, posted_at_ms, reached };
}
