// The limits of the site.
export const LIMITS = {
  nickname_length_min: 3,
  nickname_length_max: 20,
  password_length_min: 8,
  password_length_max: 128,
  title_length_min: 3,
  title_length_max: 80,
  description_length_max: 4_000,
  comment_length_min: 1,
  comment_length_max: 500,
  rating_min: -5,
  rating_max: 5,
  // $10,000,000
  amount_cents_max: 1_000_000_000,
  start_price_cents_min: 1,
  duration_minutes_min: 1,
  duration_minutes_max: 7 * 24 * 60,
  page_size: 20,
  search_length_max: 80,
  search_words_max: 6,
  // the highest bids of an auction that its pages show
  bid_history_max: 50,
  top_bids_live: 10,
  // items that one live stream, of all visible pages of a browser, may name; the viewer's own items come in addition
  live_items_max: 160,
  live_own_items_max: 100,
  comments_shown_max: 50,
  my_items_max: 100,
  // won, bought and sold auctions stay on one's own page for this time
  my_items_days: 30,
  quantity_max: 10,
  watching_max: 200,
  inbox_max: 100,
  // of the auctions one bids on, and of those one sells, the inbox covers this many that end soonest and as many that ended last
  inbox_auctions_max: 25,
  // from this number on, unread notices are not counted exactly
  unread_counted_max: 10,
} as const;
