// SentAsNatives: a client that takes transactions and runs none. Each operation of a body is sent by itself, as a native. Where all clients do
// so, this is a store without transactions, the upper bound of all comparisons (condition `none`): an operation costs what it costs outside any
// transaction, and nothing keeps the operations of one body together. What a body has changed before it throws stays.

import { Description, Finish, Tx, type Body, type Claret, type Operation, type OperationSpec, type ResultsOf } from '@claret/client';
import { randomBytes } from 'node:crypto';
import { conditionNamed } from './conditions.ts';

export interface SendingOptions {
  /** Each operation of a body is sent after the one issued before it has been answered, awaited or not, as the client's option says. */
  oneAtATime: boolean;
  /** Operations that answer nothing are settled at once, and sent together at the body's end; false by default. */
  deferral?: boolean;
}

/**
 * The client through which a workload runs under a condition: the given one, or, where there are no transactions, one that sends each operation
 * as a native.
 */
export function senderUnder(condition: string, claret: Claret, options: SendingOptions): Claret {
  const { asNatives, deferral } = conditionNamed(condition);
  return asNatives ? sentAsNatives(claret, { ...options, deferral: deferral ?? false }) : claret;
}

/**
 * Has the members of `Claret` that workloads use: `on`, `native`, `counters`, `transaction` and `transact`. Options of a transaction
 * are ignored: there is nothing to repeat. Both reject with the error of the first operation that failed, once all operations of the
 * body have ended.
 */
export function sentAsNatives(claret: Claret, options: SendingOptions): Claret {
  // A workload is written for `Claret`, a class with private members.
  return new SentAsNatives(claret, options) as unknown as Claret;
}

class SentAsNatives implements Pick<Claret, 'on' | 'native' | 'counters' | 'transaction' | 'transact'> {
  readonly on: Claret['on'];
  readonly native: Claret['native'];
  readonly #claret: Claret;
  readonly #options: SendingOptions;

  constructor(claret: Claret, options: SendingOptions) {
    this.on = claret.on;
    this.native = claret.native;
    this.#claret = claret;
    this.#options = options;
  }

  get counters(): Claret['counters'] {
    return this.#claret.counters;
  }

  async transaction<Result>(_label: string, body: Body<Result>): Promise<Result> {
    const tx = new NativeTx(this.#claret, this.#options);
    try {
      const outcome = await body(tx);
      tx.sendDeferred();
      const result = outcome instanceof Finish ? await outcome.operation : outcome;
      await tx.ended();
      return result as Result;
    } catch (error) {
      await tx.ended().catch(() => {}); // The body's error counts, and may be the same.
      throw error;
    }
  }

  transact<const Descriptions extends readonly Description<unknown>[]>(
    label: string,
    operations: Descriptions,
  ): Promise<ResultsOf<Descriptions>> {
    if (this.#options.oneAtATime) {
      return this.transaction(label, (tx) => Promise.all(operations.map((one) => tx.perform(one)))) as Promise<ResultsOf<Descriptions>>;
    }
    return allEnded(operations.map((operation) => this.native.perform(operation))) as Promise<ResultsOf<Descriptions>>;
  }
}

/** As `Promise.all`, but a rejection waits for all others. */
async function allEnded(answers: readonly Promise<unknown>[]): Promise<unknown[]> {
  try {
    return await Promise.all(answers);
  } catch (error) {
    await Promise.allSettled(answers);
    throw error;
  }
}

class NativeTx extends Tx {
  readonly #claret: Claret;
  readonly #options: SendingOptions;
  #deferred: Description<unknown>[] = [];
  #pending = 0;
  #last: Promise<unknown> | null = null;
  #failed = false;
  #error: unknown = undefined;
  #drained: () => void = () => {};

  constructor(claret: Claret, options: SendingOptions) {
    super(undefined as never, 0, { once: null, newId: () => randomBytes(8).toString('hex') }); // Everything that uses the attempt is replaced here.
    this.#claret = claret;
    this.#options = options;
  }

  override issue<Result>(spec: OperationSpec, key: string, args: readonly unknown[]): Operation<Result> {
    return this.perform(new Description<Result>(spec, key, args));
  }

  /** A promise in the place of an operation: bodies only await it, or return it. */
  override perform<Result>(description: Description<Result>): Operation<Result> {
    if (this.#options.deferral === true && description.spec.result === 'void') {
      this.#deferred.push(description);
      return Promise.resolve() as unknown as Operation<Result>;
    }
    const send = () => this.#claret.native.perform(description);
    const answer = this.#options.oneAtATime && this.#last !== null ? this.#last.then(send, send) : send();
    this.#last = answer;
    this.#watch(answer);
    return answer as unknown as Operation<Result>;
  }

  /** What was deferred leaves in one turn. */
  sendDeferred(): void {
    for (const description of this.#deferred) this.#watch(this.#claret.native.perform(description));
  }

  #watch(answer: Promise<unknown>): void {
    this.#pending++;
    answer.then(this.#onResult, this.#onError);
  }

  /** Resolves when all operations have been answered; rejects if one of them failed. */
  async ended(): Promise<void> {
    if (this.#pending > 0) await new Promise<void>((resolve) => (this.#drained = resolve));
    if (this.#failed) throw this.#error;
  }

  readonly #onResult = () => {
    if (--this.#pending === 0) this.#drained();
  };

  readonly #onError = (error: unknown) => {
    if (!this.#failed) this.#error = error;
    this.#failed = true;
    this.#onResult();
  };
}
