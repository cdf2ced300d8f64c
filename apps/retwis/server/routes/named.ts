// Looks up the person or post that a path names.
import { Check } from 'typebox/value';

import type { Reads } from '../actions/reads.ts';
import { Username, type PostView, type UserRef } from '../api.ts';
import { RequestProblem } from '../problem.ts';

export const lowerCase = (username: string) => username.toLowerCase() as Lowercase<string>;

export const isUsername = (text: string): boolean => Check(Username, text);

/** The person with this username, in any case. */
export async function userNamed(reads: Reads, username: string): Promise<UserRef> {
  const user = isUsername(username) ? await reads.user(username) : null;
  if (user === null) throw new RequestProblem('unknown_user');
  return user;
}

/** The post as the viewer sees it; null: logged out. */
export async function postNamed(reads: Reads, post_id: string, viewer_id: string | null): Promise<PostView> {
  const view = await reads.post(post_id, viewer_id);
  if (view === null) throw new RequestProblem('unknown_post');
  return view;
}
