// The contract between the runner, the k6 scripts and the check of invariants about one storm. It has no imports, because both Node
// and k6 read it.
//
// The runner prepares a cluster, writes StormData as JSON and starts k6 with its path in STORM_DATA. The scripts write one
// LedgerLine per request to k6's console output (kit/tell.ts). After the storm the check compares the ledger with the store.

export type ScenarioName = 'last-minute-auction' | 'the-dress' | 'flash-crowd' | 'steady-rubis' | 'steady-retwis';

/** The needs of a scenario, and which of its requests count as accepted work: the same kinds in every ledger of that scenario. */
export interface ScenarioNeeds {
  sites: readonly ('auctions' | 'timelines')[];
  /** kinds of ledger lines that count as work if they are accepted */
  accepted: readonly LedgerKind[];
  /** an auction opened by the runner, which closes during the run, and auctions of several pieces */
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
  /** value of the site's session cookie: the runner creates the session in the store, so that no password is hashed */
  token: string;
}

export interface StormData {
  scenario: ScenarioName;
  seed: number;
  /** arrivals per second at the peak of the storm; for steady-rubis, whose visitors stay: pages per second */
  peak_per_s: number;
  duration_s: number;
  /**
   * When the first visitors arrive: the scripts wait for it in setup(), so that the curve of arrivals fits the time at which the
   * hot auction closes, `CLOSE_SHARE * duration_s` later. It leaves k6 time to get ready; if an auction closes, k6 refuses to start
   * late, and the runner prepares the storm again.
   */
  starts_at_ms: number;
  /** base URLs of app servers, without a trailing slash; null: the scenario does not use that site. Visitors spread over them */
  auctions: string[] | null;
  timelines: string[] | null;
  /** of all shards; marks go to the first one's REST port */
  gateways: { /** base URL */ rest: string; /** host:port */ grpc: string }[];
  auction_people: StormPerson[];
  timeline_people: StormPerson[];
  hot_item: { id: string; closes_at_ms: number; start_price_cents: number } | null;
  /** auctions of several pieces each for immediate purchase, opened by the runner; empty: the scenario does not use them */
  pieces: string[];
  /** open auctions */
  items: string[];
  categories: string[];
  regions: string[];
  hot_post: { id: string; /** username */ author: string } | null;
  /** ids of the celebrity's followers before the storm */
  followers_of_hot: string[];
}

/** The facts of each kind of request. Amounts are in cents. An absent field is unknown. */
export type LedgerFacts = {
  bid: { item: string; amount: number; /** the secret maximum; the amount if none was given */ max: number; bid_id?: string };
  buy: { item: string; quantity: number; /** of the request */ key: string; /** once accepted */ purchase_id?: string };
  comment: { item: string; /** person's id */ about: string; rating: number };
  open: { /** once accepted */ item?: string };
  post: { text: string; /** of the request */ key: string; /** once accepted */ post_id?: string };
  repost: { post: string };
  unrepost: { post: string };
  follow: { /** username */ who: string };
  register: { /** nickname or username */ name: string };
  /** `page`: the request's name; `door`: 'grpc' if it went to a gateway directly */
  read: { page: string; door?: string };
};

export type LedgerKind = keyof LedgerFacts;

/**
 * accepted    a success response: it happened
 * refused:    refused with that code: it did not happen, by a rule of the site (a bid that is too low, …)
 * shed        "too busy" (503 or 429 of the site, RESOURCE_EXHAUSTED or UNAVAILABLE of a gateway): it did not happen
 * unknown     no response, or `outcome_unknown`: it may have happened
 * failed      any other error, of the server or of the request (unknown page, …), or an unreadable response
 */
export type LedgerOutcome = 'accepted' | `refused:${string}` | 'shed' | 'unknown' | 'failed';

/** One per request of the visitors. `at_ms`: when it was sent; `ms`: until the response. */
export type LedgerLine = {
  [Kind in LedgerKind]: [kind: Kind, at_ms: number, ms: number, outcome: LedgerOutcome, person_id: string, facts: LedgerFacts[Kind]];
}[LedgerKind];
