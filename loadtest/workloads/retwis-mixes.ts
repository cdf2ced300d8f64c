// The actions of people in the retwis workload, and their shares.

/**
 * Shares of all transactions, in percent (the paper, Table 3, with its "< 1 %" and "< 0.1 %" as 1 and 0.1; the rest is Timeline). `40:1` has
 * forty pages that only read for each that changes something, the others in proportion to `read-heavy`.
 */
export const RETWIS_MIXES = {
  'post-heavy': { timeline: 90, repost: 6, post: 2, follow: 1, new_user: 1 },
  'read-heavy': { timeline: 98.2, repost: 1, post: 0.5, follow: 0.2, new_user: 0.1 },
  '40:1': { timeline: 97.56, repost: 1.36, post: 0.68, follow: 0.27, new_user: 0.13 },
} as const;
export type RetwisMix = keyof typeof RETWIS_MIXES;
export type RetwisKind = keyof (typeof RETWIS_MIXES)[RetwisMix];
