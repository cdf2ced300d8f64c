// NativeRecord: records one native for the history. It exists only if `connect` is given a `history`.

import type { Environment } from '../environment/environment.ts';
import { tell } from '../environment/tell.ts';
import type { ClaretError } from '../errors/claret-error.ts';
import { NATIVE_LABEL, type HistoryAttempt, type HistoryListener } from '../reports/history.ts';
import { historyValue } from '../reports/history-value.ts';
import type { Call } from '../values/call.ts';
import { bigOf, type Wide } from '../wire/wide.ts';

export interface NativeHistory {
  readonly environment: Environment;
  /** the client's name */
  readonly process: string;
  readonly listener: HistoryListener;
  /** called with a native that changes something, as `unknown`, each time that it is about to leave; it must not issue operations */
  readonly beforeCommit: HistoryListener | undefined;
}

export class NativeRecord {
  readonly #history: NativeHistory;
  readonly #attempt: HistoryAttempt;
  readonly #call: Call;
  #sent = false;

  /**
   * @param number of the native, unique in the client
   * @param at the timestamp as of which it observes; null: now
   */
  constructor(history: NativeHistory, number: number, call: Call, at: Wide | null) {
    const { process } = history;
    const [type, op] = call.spec.name.split('.') as [string, string];
    const id = `native:${process}:${number}`;
    const args = call.args.map((argument, i) => historyValue(call.spec.parameters[i]!, argument));
    this.#history = history;
    this.#call = call;
    this.#attempt = {
      id,
      transaction: id,
      process,
      label: NATIVE_LABEL,
      call: this.#nowNs(),
      return: 0,
      outcome: 'unknown',
      ops: [{ key: call.key, type, op, args }],
      ...(at === null ? {} : { as_of: String(bigOf(at)) }),
    };
  }

  /** It leaves in that session with that number, by which the shard's log names it. Sent again, it keeps its first name as its transaction. */
  sent(session: Wide, number: number): void {
    const attempt = this.#attempt;
    const id = `native:${bigOf(session)}:${number}`;
    if (!this.#sent) attempt.transaction = id;
    this.#sent = true;
    attempt.id = id;
    const { environment, beforeCommit } = this.#history;
    if (beforeCommit !== undefined && this.#call.spec.operationClass !== 'observe') {
      tell(environment, beforeCommit, { ...attempt, return: Infinity });
    }
  }

  executed(at: bigint, result: unknown): void {
    const attempt = this.#attempt;
    attempt.order = String(at);
    if (this.#call.spec.result !== 'void') attempt.ops[0]!.result = historyValue(this.#call.spec.result, result);
    this.#end('ok');
  }

  failed(error: ClaretError): void {
    this.#attempt.error = error.code;
    this.#end(error.commitState === 'unknown' ? 'unknown' : 'fail');
  }

  #end(outcome: HistoryAttempt['outcome']): void {
    this.#attempt.outcome = outcome;
    this.#attempt.return = this.#nowNs();
    tell(this.#history.environment, this.#history.listener, this.#attempt);
  }

  #nowNs(): number {
    return Math.round(this.#history.environment.monotonicMs() * 1e6);
  }
}
