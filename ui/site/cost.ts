// The cost of an answer's transactions, as app servers report it: an API answer that ran transactions carries the header COST_HEADER, a
// JSON array with one TransactionCost per label, in the order in which the labels' first transactions ended. The server's half is
// apps/site/cost.ts.

export const COST_HEADER = 'claret-cost';

/** the row that adds up the labels beyond COST_LABELS_MAX */
export const COST_OTHERS = 'others';
export const COST_LABELS_MAX = 16;

/** the sum over all transactions of one label */
export type TransactionCost = {
  label: string;
  /** transactions, committed or not */
  count: number;
  operations: number;
  /** of these, answered from the app server's memory, without a message (docs/decisions/0034-warranties.md) */
  warranted: number;
  /** locks that were waited for, and the time, summed over the locks */
  locks_waited: number;
  waited_us: number;
  /** attempts that had to be repeated */
  retries: number;
  /** how often bodies ran: once in each attempt, and once more in one that was forecast */
  body_runs: number;
  /** forecasts that proved wrong */
  forecasts_out: number;
  /** waiting for the app server's turn to send to several shards */
  turn_waited_us: number;
  /** transactions that committed together with others of the app server, and the members of all these batches */
  batched: number;
  batch_members: number;
  /** attempts that ended since their chain broke */
  chains_broken: number;
  /** summed over transactions, which may have run at the same time */
  duration_ms: number;
};

const NUMBERS = [
  'count',
  'operations',
  'warranted',
  'locks_waited',
  'waited_us',
  'retries',
  'body_runs',
  'forecasts_out',
  'turn_waited_us',
  'batched',
  'batch_members',
  'chains_broken',
  'duration_ms',
] as const;

/** The rows of an answer's header; malformed ones are left out. */
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

/** The sum of two costs of one label. */
export function addCost(one: TransactionCost, other: TransactionCost): TransactionCost {
  const sum = { ...one };
  for (const name of NUMBERS) sum[name] += other[name];
  return sum;
}
