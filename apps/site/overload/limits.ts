// How much an app server takes upon itself at once. Everything beyond is refused in a moment (503 `overloaded`, Retry-After),
// so that nothing in the process queues. docs/running.md tells operators.

export const GATE_LIMITS = {
  /** From a request's arrival to its answer; where it takes longer on average, fewer are let in. */
  delay_target_ms: 250,
  /** API requests at work at once: where the limit begins, and what it never leaves. */
  at_work_first: 128,
  at_work_least: 32,
  at_work_most: 1_024,
  /**
   * Of them, neither reads nor writes take more than this share: onlookers keep no bids out, and bidders leave the page
   * readable for those who look.
   */
  kind_share_max: 0.75,
  /** After a window in which the limit was in the way: one more, or, where answers took less than half the target, so many. */
  increase: 8,
  /** Where answers were slow: the limit times target / delay, but no more and no less than these shares of it. */
  decrease_least: 0.8,
  decrease_most: 0.25,
  window_ms: 100,
  /** Files and pages at work at once: they need nothing of the store, and wait for nothing but the disk. */
  pages_at_work_max: 256,
} as const;

/** What a request may take, from its arrival; its transactions have what is left. */
export const DEADLINE_MS = { read: 2_000, write: 5_000 } as const;

/** Live streams of one app server, and of them one visitor's (auth/address.ts). */
export const STREAMS = { max: 5_000, per_visitor_max: 1_000 } as const;

/** Requests whose bodies don't come in one piece with their heads, while they are being sent: likewise. */
export const SENDING = { max: 1_024, per_visitor_max: 64 } as const;

export const SOCKETS = {
  /** connections; more are closed as they come */
  max: 10_000,
  /** from so many on, a connection is closed once its request is answered */
  keep_alive_max: 7_500,
  /** that wait to be accepted: who finds no room there is not refused, but tries again after 1, 3, 7 seconds */
  backlog: 4_096,
} as const;

/** Retry-After, in seconds: drawn anew for each refusal, so that those who were refused together don't come back together. */
export const RETRY_AFTER_S = { least: 1, most: 4 } as const;

export type GateLimits = { readonly [Name in keyof typeof GATE_LIMITS]: number };
