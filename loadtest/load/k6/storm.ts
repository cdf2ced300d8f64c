// The contract between the runner, the k6 scripts and the check of invariants about one storm. It imports nothing: both Node and
// k6 read it.
//
// The runner prepares a cluster, writes StormData as JSON and starts k6 with its path in STORM_DATA. The scripts write one
// LedgerLine per request to k6's console output (kit/tell.ts). After the storm the check compares the ledger with the store.

export type ScenarioName = 'last-minute-auction' | 'the-dress' | 'flash-crowd' | 'steady-rubis' | 'steady-retwis';

/** What a scenario needs, and what of it counts as accepted work: the same kinds in every ledger of that scenario. */
export interface ScenarioNeeds {
  sites: readonly ('auctions' | 'timelines')[];
  /** kinds of ledger lines whose `accepted` ones are the scenario's work done */
  accepted: readonly LedgerKind[];
  /** opened by the runner, so that it closes during the run; and beside it auctions of several pieces */
  hot_item: boolean;
  /** posted by the runner before the run */
  hot_post: boolean;
}

export const SCENARIOS: Readonly<Record<ScenarioName, ScenarioNeeds>> = {
  'last-minute-auction': { sites: ['auctions'], accepted: ['bid'], hot_item: true, hot_post: false },
  'the-dress': { sites: ['timelines'], accepted: ['post', 'repost'], hot_item: false, hot_post: true },
  'flash-crowd': { sites: ['auctions'], accepted: ['read'], hot_item: false, hot_post: false },
  'steady-rubis': {
    sites: ['auctions'],
    accepted: ['read', 'bid', 'buy', 'comment', 'open', 'register'],
    hot_item: false,
    hot_post: false,
  },
  'steady-retwis': { sites: ['timelines'], accepted: ['read', 'post', 'repost', 'follow', 'register'], hot_item: false, hot_post: false },
};

/** The hot auction closes at this share of the storm: before it interest rises, after it comes the tail. */
export const CLOSE_SHARE = 0.75;

export interface StormPerson {
  id: string;
  /** nickname or username */
  name: string;
  /** value of the site's session cookie: the runner opens the session in the store, so that no password is hashed for it */
  token: string;
}

export interface StormData {
  scenario: ScenarioName;
  seed: number;
  /** visitors who come per second at the height of the storm; steady-rubis, whose visitors stay: pages they see per second */
  peak_per_s: number;
  duration_s: number;
  /**
   * When the first visitors come: the scripts wait for it in setup(), so that the curve of arrivals fits the time at which the
   * hot auction closes, `CLOSE_SHARE * duration_s` later. It leaves k6 the time to get ready; where an auction closes, k6 refuses to begin late,
   * and the runner prepares it once more.
   */
  starts_at_ms: number;
  /** base URLs of app servers, without a slash at the end; null: the scenario has no use for that site. Visitors spread over them */
  auctions: string[] | null;
  timelines: string[] | null;
  /** of all shards; marks go to the first one's REST port */
  gateways: { /** base URL */ rest: string; /** host:port */ grpc: string }[];
  auction_people: StormPerson[];
  timeline_people: StormPerson[];
  hot_item: { id: string; closes_at_ms: number; start_price_cents: number } | null;
  /** auctions of several pieces each, to be bought at once, opened by the runner; empty: the scenario has no use for them */
  pieces: string[];
  /** open auctions */
  items: string[];
  categories: string[];
  regions: string[];
  hot_post: { id: string; /** username */ author: string } | null;
  /** ids of the celebrity's followers, as they are before the storm */
  followers_of_hot: string[];
}

/** What is known of each kind of request. Amounts are in cents. A field that is left out is not known. */
export type LedgerFacts = {
  bid: { item: string; amount: number; /** the secret maximum; the amount where none was given */ max: number; bid_id?: string };
  buy: { item: string; quantity: number; purchase_id: string };
  comment: { item: string; /** person's id */ about: string; rating: number };
  open: { /** once accepted */ item?: string };
  post: { draft_id: string; /** once accepted */ post_id?: string };
  repost: { post: string };
  unrepost: { post: string };
  follow: { /** username */ who: string };
  register: { /** nickname or username */ name: string };
  /** `page`: the request's name; `door`: 'grpc' where it went to a gateway, past the sites */
  read: { page: string; door?: string };
};

export type LedgerKind = keyof LedgerFacts;

/**
 * accepted    answered with success: it happened
 * refused:    answered with that code: it did not happen, and the rules say why (a bid that is too low, …)
 * shed        answered with "too busy" (503 or 429 of the site, RESOURCE_EXHAUSTED or UNAVAILABLE of a gateway): it did not happen
 * unknown     no answer, or `outcome_unknown`: it may have happened
 * failed      any other error, of the server or of the request (there is no such page, …), or an answer that cannot be read
 */
export type LedgerOutcome = 'accepted' | `refused:${string}` | 'shed' | 'unknown' | 'failed';

/** One per request that visitors make. `at_ms`: when it was sent; `ms`: until it was answered. */
export type LedgerLine = {
  [Kind in LedgerKind]: [kind: Kind, at_ms: number, ms: number, outcome: LedgerOutcome, person_id: string, facts: LedgerFacts[Kind]];
}[LedgerKind];
