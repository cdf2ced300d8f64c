// Looks up the person or post that a path names.
import type { Claret } from '@claret/client';
import { Check } from 'typebox/value';

import { findUser } from '../actions/people.ts';
import { viewPost } from '../actions/view-post.ts';
import { Username, type PostView, type UserRef } from '../api.ts';
import { RequestProblem } from '../problem.ts';

export const lowerCase = (username: string) => username.toLowerCase() as Lowercase<string>;

/** The person with this username, in any case. */
export async function userNamed(claret: Claret, username: string): Promise<UserRef> {
  const user = Check(Username, username) ? await findUser(claret, { username }) : null;
  if (user === null) throw new RequestProblem('unknown_user');
  return user;
}

/** The post as the viewer sees it; null: logged out. */
export async function postNamed(claret: Claret, post_id: string, viewer_id: string | null): Promise<PostView> {
  const view = await viewPost(claret, { post_id, viewer_id });
  if (view === null) throw new RequestProblem('unknown_post');
  return view;
}
