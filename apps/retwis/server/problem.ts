// The timelines site's errors and the sentences for its pages.
import { Problems, RequestProblem as SiteRequestProblem, type ProblemExtras } from '@claret/site/problem.ts';

import { ERROR_STATUS, LIMITS, type ErrorCode } from './api.ts';

const details: Record<ErrorCode, string> = {
  invalid_input: 'Something in this form isn’t right. Please check it and try again.',
  text_empty: 'Write something first.',
  text_too_long: `A post can have up to ${LIMITS.text_graphemes_max} characters.`,
  text_has_control_characters: 'This text contains characters that can’t be displayed. Please type it again.',
  body_too_large: 'That’s too long.',
  unsupported_media_type: 'Requests to this site must be JSON.',
  invalid_cursor: 'This page of the list can’t be found. Start again from the first page.',
  not_logged_in: 'Please log in first.',
  wrong_credentials: 'Wrong username or password.',
  too_many_attempts: 'Too many attempts. Please wait a moment.',
  csrf_missing: 'This request didn’t come from a page of this site.',
  username_taken: 'This username is taken.',
  unknown_route: 'There’s nothing at this address.',
  unknown_user: 'There’s no user with this name.',
  unknown_post: 'This post doesn’t exist.',
  own_account: 'You can’t follow yourself. Your posts are already on your timeline.',
  already_following: 'You already follow this person.',
  not_following: 'You don’t follow this person.',
  already_reposted: 'You’ve already reposted this.',
  not_reposted: 'You haven’t reposted this.',
  repost_of_repost: 'This is a repost. Repost the original post instead.',
  busy: 'That didn’t work just now, and nothing was changed. Please try again.',
  overloaded: 'The site is very busy. Nothing was changed; please try again in a moment.',
  outcome_unknown: 'The server’s reply was lost. Please check whether it worked before you try again.',
  key_expired: 'It’s too late to send this again. Please check whether it worked before you try once more.',
  too_many_streams: 'This server has no live updates to spare right now. Reload the page to see what’s new.',
  internal: 'Something went wrong on our side.',
};

const field_details = {
  username: 'Usernames have 3 to 20 letters, digits or underscores, and start with a letter.',
  password: 'Passwords have 8 to 128 characters.',
  text: 'A post must be text.',
  posts: 'This isn’t a list of posts.',
  users: 'This isn’t a list of people.',
  tag: 'Hashtags have letters, digits and underscores only.',
};

const field_codes = { cursor: 'invalid_cursor' } as const;
const param_codes = { username: 'unknown_user', post_id: 'unknown_post' } as const;

export const problems = new Problems<ErrorCode>({ status: ERROR_STATUS, details, field_details, field_codes, param_codes });

/** `post_id`: the reposted post, for repost_of_repost. */
export class RequestProblem extends SiteRequestProblem<ErrorCode, ProblemExtras & { post_id?: string }> {}
