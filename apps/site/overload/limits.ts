// The limits of an app server. Requests beyond them are shed at once (503 `overloaded`, Retry-After), so that nothing queues in the
// process. docs/running.md describes them for operators.

export const ADMISSION_LIMITS = {
  /** from a request's arrival to its answer; the limit is lowered if the mean is above */
  delay_target_ms: 250,
  /** API requests in flight: the initial limit, and its bounds */
  at_work_first: 128,
  at_work_least: 32,
  at_work_most: 1_024,
  /**
   * Neither reads nor writes take more than this share of the limit: readers keep no bids out, and bidders leave the page readable for
   * others.
   */
  kind_share_max: 0.75,
  /** added after a window in which the limit was reached and answers took less than half the target delay; otherwise 1 is added */
  increase: 8,
  /** after slow answers the limit is multiplied by target / delay, but at most and at least by these factors */
  decrease_least: 0.8,
  decrease_most: 0.25,
  window_ms: 100,
  /** files and pages in flight: they need no store, and wait only for the disk */
  pages_at_work_max: 256,
} as const;

/** the deadline of a request, counted from its arrival; its transactions get the rest of it */
export const DEADLINE_MS = { read: 2_000, write: 5_000 } as const;

/** live streams of one app server, in total and per visitor (auth/address.ts) */
export const STREAMS = { max: 5_000, per_visitor_max: 1_000 } as const;

/** requests whose bodies do not arrive together with their heads, while they are being received: likewise */
export const SENDING = { max: 1_024, per_visitor_max: 64 } as const;

export const SOCKETS = {
  /** connections; further ones are closed at once */
  max: 10_000,
  /** above this number, a connection is closed once its request is answered */
  keep_alive_max: 7_500,
  /** connections waiting to be accepted; beyond it a client is not refused, but tries again after 1, 3, 7 seconds */
  backlog: 4_096,
} as const;

/** Retry-After, in seconds: drawn for each refusal, so that clients refused together do not come back together */
export const RETRY_AFTER_S = { least: 1, most: 4 } as const;

export type AdmissionLimits = { readonly [Name in keyof typeof ADMISSION_LIMITS]: number };
