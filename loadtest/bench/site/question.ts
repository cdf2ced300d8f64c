// The requests of the benchmark `site` to its driver process, and what it answers.

import type { Verdict } from './ledger.ts';
import type { Outcome } from './outcome.ts';

export const MIXES = ['bid-heavy', 'read-heavy', 'post-heavy'] as const;
export type Mix = (typeof MIXES)[number];

/** `change`: a bid, or a post. `page`: everything that a page requests until it is complete. */
export type Kind = 'change' | 'page';

export interface StageQuestion {
  /** opens the stage if it is new (stage.ts), and begins a round: with new auctions, live readers and a new ledger */
  ask: 'begin';
  /** of the stage: one site of one contender */
  id: string;
  mix: Mix;
  /** of the site's app servers */
  urls: readonly string[];
  seed: number;
  round: number;
}

export interface SpanQuestion {
  ask: 'span';
  id: string;
  /** actions per second */
  rate: number;
  seconds: number;
  /** of the round: it decides what is drawn */
  number: number;
  /** reads what the site says about the cost of its transactions */
  readsCosts: boolean;
}

/** Ends the round: closes the readers, and compares the ledger with what the site tells. */
export interface EndQuestion {
  ask: 'end';
  id: string;
}

export type Question = StageQuestion | SpanQuestion | EndQuestion;

export interface Quantiles {
  count: number;
  p50_ms: number;
  p99_ms: number;
}

/** Sums over the labels of transactions. */
export interface Cost {
  transactions: number;
  operations: number;
  /** answered from the app server's memory */
  warranted: number;
  retries: number;
  batched: number;
  locks_waited: number;
}

export interface SpanFigures {
  /** actions that were to begin */
  drawn: number;
  /** actions that did not begin, since too many were under way */
  abandoned: number;
  requests: number;
  outcomes: Readonly<Record<Outcome, number>>;
  /** changes alone */
  changes: Readonly<Record<Outcome, number>>;
  all: Quantiles;
  kinds: Readonly<Record<Kind, Quantiles>>;
  /** from the acknowledgement of a bid to the price at a live reader */
  lag: Quantiles;
  /** bids that no reader was told in time */
  unseen: number;
  /** live events that arrived */
  events: number;
  /** how late the driver itself began actions */
  late_p99_ms: number;
  driver_us: number;
  /** by the label of transactions; empty: the site tells no costs, or they were not read */
  costs: Readonly<Record<string, Cost>>;
}

export interface Answer {
  span?: SpanFigures;
  verdicts?: Verdict[];
}
