// The auction site's errors and the sentences for its pages.
import { Problems, RequestProblem as SiteRequestProblem, type ProblemExtras } from '@claret/site/problem.ts';

import { ERROR_STATUS, type ErrorCode } from './api.ts';

const details: Record<ErrorCode, string> = {
  invalid_input: 'Something in this form isn’t right.',
  amount_not_a_number: 'Enter the amount as a number, like 12.50.',
  amount_too_large: 'That’s too much. The highest bid allowed is $10,000,000.',
  amount_below_minimum: 'That’s below the minimum bid. The price may have just gone up.',
  max_below_amount: 'Your maximum can’t be below your bid.',
  max_not_raised: 'You’re already leading. A new maximum must be higher than your last one.',
  reserve_below_start: 'The reserve can’t be below the starting price.',
  buy_now_too_low: 'The Buy now price must be above the starting price, and can’t be below the reserve.',
  quantity_needs_buy_now: 'To sell more than one piece, set a Buy now price. The auction itself has one winner.',
  body_too_large: 'That’s too long.',
  unsupported_media_type: 'Send the request body as JSON, with content-type: application/json.',
  invalid_cursor: 'This page of the list no longer exists. Start again from the first page.',
  not_logged_in: 'Please log in first.',
  wrong_credentials: 'Wrong nickname or password.',
  too_many_attempts: 'Too many attempts. Please wait a moment.',
  csrf_missing: 'This request didn’t come from a page of this site.',
  nickname_taken: 'This nickname is taken.',
  unknown_route: 'There’s nothing at this address.',
  unknown_item: 'This auction doesn’t exist.',
  past_gone: 'We no longer know what this auction was like then.',
  past_to_come: 'That moment is yet to come.',
  unknown_user: 'This member doesn’t exist.',
  unknown_category: 'This category doesn’t exist.',
  unknown_region: 'This region doesn’t exist.',
  auction_closed: 'This auction has ended.',
  auction_open: 'This auction is still open. You can comment once it has ended.',
  own_item: 'You can’t bid on or buy from your own auction.',
  no_buy_now: 'This auction has no Buy now price. The highest bidder wins.',
  buy_now_withdrawn: 'Buy now has ended: the bids have reached its price. You haven’t bought anything.',
  sold_out: 'Sold out.',
  not_enough_left: 'There aren’t that many pieces left.',
  watch_list_full: 'Your watch list is full. Remove something first.',
  not_a_party: 'Only the seller and the buyers can comment on each other.',
  about_missing: 'Choose who your comment is about.',
  already_commented: 'You’ve already commented on this sale.',
  busy: 'That didn’t work just now. Nothing has changed. Please try again.',
  overloaded: 'The site is very busy. Nothing has changed. Please try again in a moment.',
  outcome_unknown: 'We got no reply, so this may or may not have worked. Please check before you try again.',
  key_expired: 'It’s too late to send this again. Please check whether it worked before you try once more.',
  too_many_streams: 'Too many people are watching live right now. Reload the page to see current prices.',
  internal: 'Something went wrong on our side.',
};

const field_details = {
  nickname: 'Use 3 to 20 letters, digits or underscores, starting with a letter.',
  password: 'Use 8 to 128 characters.',
  title: 'Use 3 to 80 characters.',
  description: 'Use at most 4,000 characters.',
  start_price_cents: 'The starting price must be between $0.01 and $10,000,000.',
  duration_minutes: 'The duration must be between 1 minute and 7 days.',
  duration_seconds: 'The duration must be between 1 minute and 7 days.',
  quantity: 'The number of pieces must be between 1 and 10.',
  reserve_price_cents: 'The reserve must be between $0.01 and $10,000,000.',
  buy_now_price_cents: 'The Buy now price must be between $0.01 and $10,000,000.',
  about_user_id: 'This member doesn’t exist.',
  until_ms: 'The until_ms must be a time in milliseconds.',
  rating: 'The rating must be a whole number from -5 to 5.',
  text: 'Use 1 to 500 characters.',
  q: 'Use at most 80 characters.',
  items: 'The items must be a list of auction ids.',
};

const field_codes = { amount_cents: 'amount_not_a_number', max_cents: 'amount_not_a_number', cursor: 'invalid_cursor' } as const;
const param_codes = { item_id: 'unknown_item', user_id: 'unknown_user' } as const;

export const problems = new Problems<ErrorCode>({ status: ERROR_STATUS, details, field_details, field_codes, param_codes });

export class RequestProblem extends SiteRequestProblem<ErrorCode, ProblemExtras & { min_next_bid_cents?: number; left?: number }> {}
