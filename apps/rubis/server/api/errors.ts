// Errors: application/problem+json with a stable code.
import { Type, type Static } from 'typebox';

export const ERROR_STATUS = {
  // the request
  invalid_input: 400, // `field` names what is wrong
  amount_not_a_number: 400,
  amount_too_large: 400,
  amount_below_minimum: 409, // `min_next_bid_cents` is the minimum
  max_below_amount: 400,
  max_not_raised: 409, // the leader may raise their maximum, not lower it
  reserve_below_start: 400,
  buy_now_too_low: 400, // not above the start price, or below the reserve
  quantity_needs_buy_now: 400,
  body_too_large: 413,
  unsupported_media_type: 415,
  invalid_cursor: 400,
  // the person
  not_logged_in: 401,
  wrong_credentials: 401,
  too_many_attempts: 429, // Retry-After
  csrf_missing: 403, // no CSRF_HEADER, or another site's Origin
  nickname_taken: 409,
  // the thing
  unknown_route: 404,
  unknown_item: 404,
  past_gone: 410,
  past_to_come: 400,
  unknown_user: 404,
  unknown_category: 404,
  unknown_region: 404,
  auction_closed: 409,
  auction_open: 409, // winners comment after the end
  own_item: 403,
  no_buy_now: 409, // the item has no Buy now price
  buy_now_withdrawn: 409, // the price has reached the Buy-now price
  sold_out: 409,
  not_enough_left: 409, // `left` is the number of pieces left
  watch_list_full: 409,
  not_a_party: 403, // only seller, winner and buyers comment on each other
  about_missing: 400, // several people are possible
  already_commented: 409,
  // the site
  busy: 503, // the store could not do it now: nothing happened, try again; Retry-After
  overloaded: 503, // more requests than this server can serve: nothing happened, try again; Retry-After
  outcome_unknown: 503, // the answer was lost: check before trying again
  key_expired: 409, // made too long ago, or by a clock that is wrong: `server_time_ms` is the site’s time
  too_many_streams: 503,
  internal: 500,
} as const;
export type ErrorCode = keyof typeof ERROR_STATUS;

export const Problem = Type.Object({
  type: Type.String(), // '/problems/<code>'
  title: Type.String(),
  status: Type.Integer(),
  code: Type.String(),
  // one friendly sentence for the page
  detail: Type.String(),
  field: Type.Optional(Type.String()),
  min_next_bid_cents: Type.Optional(Type.Integer()),
  left: Type.Optional(Type.Integer()),
  retry_after_s: Type.Optional(Type.Integer()),
});
export type Problem = Omit<Static<typeof Problem>, 'code'> & { code: ErrorCode };
