// Receipt: the cost of one transaction. Observers get it when the transaction ends (`claret.observed`).

import type { ErrorCause } from '../errors/error-codes.ts';

/** The obstacle that a transaction met. The members are those of an error (docs/errors.md). */
export interface Blocked {
  key: string | null;
  /** the operation that was refused: "TopK.top" */
  operation: string | null;
  /** the operation that it met, and the label of the transaction that issued it */
  blocking_operation: string | null;
  blocking_label: string | null;
  cause: ErrorCause | null;
}

/** The batch of a transaction of several shards that was sent whole (docs/rules.md, section 7). */
export interface ReceiptBatch {
  /** transactions of the client that committed together */
  members: number;
  /** the numbers of their shards */
  shards: number[];
  /** the transaction's timestamp, in decimal; null: it did not commit in this batch */
  at: string | null;
  /** from when the transaction could commit until its batch left */
  waited_us: number;
  /** a shard has put it under locks, since its outcome did not come in time */
  stood_back: boolean;
}

/** Receipts are written as JSON, so their members are named in the style of all JSON here. */
export interface Receipt {
  label: string;
  /** `unknown`: the answer to the commit was lost, and no shard could say in time */
  outcome: 'committed' | 'aborted' | 'unknown';
  /** issued by the body of the last attempt */
  operations: number;
  /** of these, answered from memory, without a message */
  warranted: number;
  /** shards that took part in the last attempt */
  shards: number;
  /** by all attempts; with phasing off, requests that were denied and sent again count too */
  locks_waited: number;
  /** summed over these locks, as the shards measured it; for a denied request, the pause before it was sent again */
  waited_us: number;
  /** attempts that ended before the last one */
  retries: number;
  /** from the call until the promise settles, with all delays */
  duration_ms: number;
  /** how often the body ran: once in each attempt, and once more in one that was forecast; 0: it is a list */
  body_runs: number;
  /** forecasts that proved wrong: the body made other operations on the true results */
  forecasts_out: number;
  /** until the client had its turn to send it to several shards; summed over all attempts */
  turn_waited_us: number;
  /** the last batch that it was in; null: none */
  batch: ReceiptBatch | null;
  /** how many of its attempts ended since their chain broke, and why the last one did (docs/errors.md); null: none */
  chains_broken: number;
  chain_broken: string | null;
  /** the duration of the last attempt, if that was a member of an epoch: until the epoch's moment, and its turn then; null: it took locks */
  epoch_us: number | null;
  /** named by the last denial, wound, deadlock or wait that timed out; null: there was none */
  blocked: Blocked | null;
}

export type ReceiptListener = (receipt: Receipt) => void;
