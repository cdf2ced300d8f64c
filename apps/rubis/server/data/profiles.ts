// Sizes of the two data sets.
//
// `claret` is the paper's (section 6.2): 30,000 open items in 62 regions and 40 categories, 10 bids per item on average, Zipf with exponent
// 1 over the items. The paper does not specify the rest; RUBiS has comments on 95 % of its items and ratings of -5, -3, 0, 3 and 5, and
// both need ended auctions: here one for every five open ones. `small` has the same shape for a quick start.

export type ProfileName = 'small' | 'claret';

export type Profile = {
  name: ProfileName;
  user_count: number;
  open_item_count: number;
  ended_item_count: number;
  // over all items, open and ended
  bids_per_item_mean: number;
  // How many of the open auctions end 1 to 5 minutes after loading, and within an hour; the rest end within 7 days.
  ending_in_minutes_count: number;
  ending_in_an_hour_count: number;
};

export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  small: {
    name: 'small',
    user_count: 300,
    open_item_count: 600,
    ended_item_count: 120,
    bids_per_item_mean: 10,
    ending_in_minutes_count: 12,
    ending_in_an_hour_count: 60,
  },
  claret: {
    name: 'claret',
    user_count: 20_000,
    open_item_count: 30_000,
    ended_item_count: 6_000,
    bids_per_item_mean: 10,
    ending_in_minutes_count: 40,
    ending_in_an_hour_count: 300,
  },
};
