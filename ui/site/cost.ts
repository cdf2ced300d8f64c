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

const NUMBERS = ['count', 'operations', 'locks_waited', 'waited_us', 'retries', 'duration_ms'] as const;

/** The rows of a header as an answer brought it; what cannot be read is left out. */
export function readCost(header: string | null): TransactionCost[] {
  if (header === null) return [];
  try {
    const rows: unknown = JSON.parse(header);
    return Array.isArray(rows) ? rows.filter(isCost).slice(0, COST_LABELS_MAX) : [];
  } catch {
    return [];
  }
}

function isCost(row: unknown): row is TransactionCost {
  if (typeof row !== 'object' || row === null) return false;
  const { label, ...rest } = row as Record<string, unknown>;
  return typeof label === 'string' && NUMBERS.every((name) => Number.isFinite(rest[name]) && (rest[name] as number) >= 0);
}

/** Two costs of one label as one. */
export function addCost(one: TransactionCost, other: TransactionCost): TransactionCost {
  const sum = { ...one };
  for (const name of NUMBERS) sum[name] += other[name];
  return sum;
}
