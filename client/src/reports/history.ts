// History: the attempts of one client as seen from outside (docs/history.md), for checks of strict serializability. An entry says
// when the attempt began and ended, how it ended, and which operations it issued with which results.

/** A value as JSON. Null: absent. {integer}: an integer beyond the safe ones. Any other number stands for itself. */
export type HistoryValue = string | number | boolean | null | { integer: string } | HistoryValue[];

export interface HistoryOperation {
  key: string;
  /** "Set" */
  type: string;
  /** "add" */
  op: string;
  args: HistoryValue[];
  /** missing for an operation without a result, and if no result was seen */
  result?: HistoryValue;
  /** answered from memory; missing: by its shard */
  via?: 'warranty';
}

export interface HistoryAttempt {
  /** the attempt's id, hexadecimal, as in the shards' logs; of a native: `native:` and its timestamp, or a number if it has none */
  id: string;
  /** the id of the first attempt of its transaction */
  transaction: string;
  /** the client's name */
  process: string;
  label: string;
  /** when it began, and when its outcome was reported or given up: ns of the environment's monotonic clock */
  call: number;
  return: number;
  /** "ok": it is committed; "fail": it is not, and never will be; "unknown": no shard could say */
  outcome: 'ok' | 'fail' | 'unknown';
  /** the commit timestamp, decimal, if it is committed */
  order?: string;
  /** the timestamp as of which its observing operations have read, decimal, if its isolation is snapshot; missing: that of the commit */
  snapshot?: string;
  /** of a read of the past: the timestamp as of which it observes, decimal */
  as_of?: string;
  /** it was a member of an epoch */
  epoch?: true;
  /** with `snapshot`: when its transaction began */
  begun?: number;
  /** the error's code, if there is one */
  error?: string;
  /** in the order of issue */
  ops: HistoryOperation[];
  /**
   * In reports before the commit, of an attempt that is to commit in a batch with others: shards are asked about the batch, by its id in
   * hexadecimal. The attempt's timestamp is so many above the batch's.
   */
  batch?: { id: string; after: number };
  /** In reports before the commit of a transaction: when its time is over, however late the attempt began. Shards know its outcome for 10 s longer. */
  deadline?: number;
}

/** The label of native operations, each of which is an attempt of its own. */
export const NATIVE_LABEL = '(native)';

export type HistoryListener = (attempt: HistoryAttempt) => void;
