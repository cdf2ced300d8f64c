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

/** A cost of nothing. */
export const NO_COST: Omit<TransactionCost, 'label'> = {
  count: 0,
  operations: 0,
  warranted: 0,
  locks_waited: 0,
  waited_us: 0,
  retries: 0,
  body_runs: 0,
  forecasts_out: 0,
  turn_waited_us: 0,
  batched: 0,
  batch_members: 0,
  chains_broken: 0,
  duration_ms: 0,
};
const NUMBERS = Object.keys(NO_COST) as (keyof typeof NO_COST)[];
const NOT_IN_A_HEADER = /[^\x20-\x7e]/g;

/** The header of an answer with these rows: JSON in ASCII, as headers require. What is 0 is left out, which is most of it. */
export const costHeader = (rows: Iterable<TransactionCost>): string => `[${Array.from(rows, rowText).join(',')}]`;

function rowText(row: TransactionCost): string {
  let text = `{"label":${JSON.stringify(row.label)}`;
  for (const name of NUMBERS) {
    if (row[name] !== 0) text += `,"${name}":${Math.round(row[name] * 100) / 100}`;
  }
  return `${text.replace(NOT_IN_A_HEADER, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}}`;
}

/** The rows of an answer's header; malformed ones are left out. */
export function readCost(header: string | null): TransactionCost[] {
  if (header === null) return [];
  try {
    const rows: unknown = JSON.parse(header);
    return Array.isArray(rows) ? rows.flatMap(readRow).slice(0, COST_LABELS_MAX) : [];
  } catch {
    return [];
  }
}

function readRow(row: unknown): TransactionCost[] {
  if (typeof row !== 'object' || row === null) return [];
  const cost = { ...NO_COST, ...(row as TransactionCost) };
  const isCost = typeof cost.label === 'string' && NUMBERS.every((name) => Number.isFinite(cost[name]) && cost[name] >= 0);
  return isCost ? [cost] : [];
}

/** The sum of two costs of one label. */
export function addCost(one: TransactionCost, other: TransactionCost): TransactionCost {
  const sum = { ...one };
  for (const name of NUMBERS) sum[name] += other[name];
  return sum;
}
