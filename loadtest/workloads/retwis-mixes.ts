// The actions of people in the retwis workload, and their shares.

/** Shares of all transactions, in percent (the paper, Table 3, with its "< 1 %" and "< 0.1 %" as 1 and 0.1; the rest is Timeline). */
export const RETWIS_MIXES = {
  'post-heavy': { timeline: 90, repost: 6, post: 2, follow: 1, new_user: 1 },
  'read-heavy': { timeline: 98.2, repost: 1, post: 0.5, follow: 0.2, new_user: 0.1 },
} as const;
export type RetwisMix = keyof typeof RETWIS_MIXES;
export type RetwisKind = keyof (typeof RETWIS_MIXES)[RetwisMix];
