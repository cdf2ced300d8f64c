// The timelines site's errors as its pages say them.
import { Problems, RequestProblem as SiteRequestProblem, type ProblemExtras } from '@claret/site/problem.ts';

import { ERROR_STATUS, LIMITS, type ErrorCode } from './api.ts';

const details: Record<ErrorCode, string> = {
  invalid_input: 'Something in this form is not right.',
  text_empty: 'There is nothing to post yet. Please write something.',
  text_too_long: `A post has at most ${LIMITS.text_graphemes_max} characters.`,
  text_has_control_characters: 'This text has characters in it that cannot be shown. Please type it anew.',
  body_too_large: 'That is too long.',
  unsupported_media_type: 'Requests to this site carry JSON.',
  invalid_cursor: 'This page of the list cannot be found. Start again from its beginning.',
  not_logged_in: 'Please log in first.',
  wrong_credentials: 'Username and password do not fit.',
  too_many_attempts: 'Too many attempts. Please wait a little.',
  csrf_missing: 'This request did not come from a page of this site.',
  username_taken: 'Somebody has this username already.',
  unknown_route: 'There is nothing at this address.',
  unknown_user: 'There is nobody with this username.',
  unknown_post: 'There is no such post.',
  own_account: 'This is you: your own posts are on your timeline already.',
  already_following: 'You follow this person already.',
  not_following: 'You do not follow this person.',
  already_reposted: 'You have reposted this already.',
  not_reposted: 'You have not reposted this.',
  repost_of_repost: 'This is a repost itself. Repost the post instead.',
  busy: 'The site could not do this just now. Nothing has happened; please try again.',
  overloaded: 'The site is very busy just now. Nothing has happened; please try again in a moment.',
  outcome_unknown: 'The answer was lost on its way. Please look whether it has worked before you try again.',
  too_many_streams: 'Too many people are watching through this server. What you see is right when you reload.',
  internal: 'Something went wrong on our side.',
};

const field_details = {
  username: 'A username has 3 to 20 letters, digits or underscores and begins with a letter.',
  password: 'A password has 8 to 128 characters.',
  text: 'A post is a text.',
  draft_id: 'A draft’s id has 8 to 64 letters, digits, hyphens or underscores.',
  posts: 'That is not a list of posts.',
  users: 'That is not a list of people.',
};

const field_codes = { cursor: 'invalid_cursor' } as const;
const param_codes = { username: 'unknown_user', post_id: 'unknown_post' } as const;

export const problems = new Problems<ErrorCode>({ status: ERROR_STATUS, details, field_details, field_codes, param_codes });

/** `post_id`: the post that repost_of_repost names. */
export class RequestProblem extends SiteRequestProblem<ErrorCode, ProblemExtras & { post_id?: string }> {}
