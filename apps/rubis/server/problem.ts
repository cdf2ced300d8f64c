// The auction site's errors as its pages say them.
import { Problems, RequestProblem as SiteRequestProblem, type ProblemExtras } from '@claret/site/problem.ts';

import { ERROR_STATUS, type ErrorCode } from './api.ts';

const details: Record<ErrorCode, string> = {
  invalid_input: 'Something in this form is not right.',
  amount_not_a_number: 'Please enter the amount as a number, like 12.50.',
  amount_too_large: 'That is more than this site can take: bids end at $10,000,000.',
  amount_below_minimum: 'That is below the least next bid. The price may have just gone up.',
  max_below_amount: 'Your maximum cannot be below your bid.',
  max_not_raised: 'You lead already. A new maximum must be above the one that you gave before.',
  reserve_below_start: 'The reserve is at least the start price.',
  buy_now_too_low: 'The price to buy at is at least the start price and the reserve.',
  quantity_needs_buy_now: 'More than one piece needs a price to buy at: the auction itself has one winner.',
  body_too_large: 'That is too long.',
  unsupported_media_type: 'Requests to this site carry JSON.',
  invalid_cursor: 'This page of the list cannot be found. Start again from its beginning.',
  not_logged_in: 'Please log in first.',
  wrong_credentials: 'Nickname and password do not fit.',
  too_many_attempts: 'Too many attempts. Please wait a little.',
  csrf_missing: 'This request did not come from a page of this site.',
  nickname_taken: 'Somebody has this nickname already.',
  unknown_route: 'There is nothing at this address.',
  unknown_item: 'There is no such auction.',
  unknown_user: 'There is no such member.',
  unknown_category: 'There is no such category.',
  unknown_region: 'There is no such region.',
  auction_closed: 'This auction has ended.',
  auction_open: 'This auction is still running; comments come after its end.',
  own_item: 'This is your own auction: you cannot bid or buy here.',
  no_buy_now: 'This one is sold to the highest bidder only.',
  sold_out: 'All pieces have been sold.',
  not_enough_left: 'There are not as many pieces left.',
  purchase_id_taken: 'This purchase could not be told from another one. Please start it again.',
  watch_list_full: 'Your watch list is full. Please take something off it first.',
  not_a_party: 'Only the seller and those who won or bought comment on each other.',
  about_missing: 'Please say whom your comment is about.',
  already_commented: 'You have commented on this sale already.',
  busy: 'The site could not do this just now. Nothing has happened; please try again.',
  overloaded: 'The site is very busy just now. Nothing has happened; please try again in a moment.',
  outcome_unknown: 'The answer was lost on its way. Please look whether it has worked before you try again.',
  too_many_streams: 'Too many people are watching through this server. Prices are still right when you reload.',
  internal: 'Something went wrong on our side.',
};

const field_details = {
  nickname: 'A nickname has 3 to 20 letters, digits or underscores and begins with a letter.',
  password: 'A password has 8 to 128 characters.',
  title: 'A title has 3 to 80 characters.',
  description: 'A description has at most 4,000 characters.',
  start_price_cents: 'A start price is a number from 0.01 to 10,000,000.00.',
  duration_minutes: 'An auction runs from a minute to 7 days.',
  duration_seconds: 'An auction runs from a minute to 7 days.',
  quantity: 'A number of pieces is from 1 to 10.',
  reserve_price_cents: 'A reserve is a number from 0.01 to 10,000,000.00.',
  buy_now_price_cents: 'A price to buy at is a number from 0.01 to 10,000,000.00.',
  purchase_id: 'A purchase needs an id of its own.',
  about_user_id: 'There is no such member.',
  until_ms: 'That is no time.',
  rating: 'A rating is a whole number from -5 to 5.',
  text: 'A comment has 1 to 500 characters.',
  q: 'A search has at most 80 characters.',
  items: 'That is not a list of auctions.',
};

const field_codes = { amount_cents: 'amount_not_a_number', max_cents: 'amount_not_a_number', cursor: 'invalid_cursor' } as const;
const param_codes = { item_id: 'unknown_item', user_id: 'unknown_user' } as const;

export const problems = new Problems<ErrorCode>({ status: ERROR_STATUS, details, field_details, field_codes, param_codes });

export class RequestProblem extends SiteRequestProblem<ErrorCode, ProblemExtras & { min_next_bid_cents?: number; left?: number }> {}
