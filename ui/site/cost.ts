// What the transactions behind an answer cost, as app servers tell it: an answer of the API that ran any carries the header
// COST_HEADER, a JSON array with one TransactionCost for each label, in the order in which the first of each ended. The
// server's half is apps/site/cost.ts.

export const COST_HEADER = 'claret-cost';

/** One row for what is beyond COST_LABELS_MAX. */
export const COST_OTHERS = 'others';
export const COST_LABELS_MAX = 16;

/** All transactions of one label, added up. */
export type TransactionCost = {
  label: string;
  /** transactions, committed or not */
  count: number;
  operations: number;
  /** locks that they had to wait for, and for how long, summed over the locks */
  locks_waited: number;
  waited_us: number;
  /** attempts that had to be repeated */
  retries: number;
  /** summed over transactions, which may have run at the same time */
  duration_ms: number;
};
