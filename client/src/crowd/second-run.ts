// SecondRun: the run of a body on the true results, as the shard has executed the member. If it makes the operations of the forecast, in the
// same order, the member is in.

import { attemptEnded } from '../attempt/attempt-errors.ts';
import { isSameCallOnRecord } from '../attempt/lock-set.ts';
import type { BodyRun } from '../attempt/running-attempt.ts';
import { stacklessError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import { Operation, type Sender } from '../operation/operation.ts';
import type { Call } from '../values/call.ts';
import type { OperationSpec } from '../values/operation-spec.ts';
import { resultOf } from '../values/result.ts';
import type { WireValue } from '../values/values.ts';
import { malformed } from '../wire/reader.ts';
import type { ForecastAttempt } from './forecast.ts';
import type { Turns } from './turns.ts';

/** All of its operations are settled as they are issued. */
const SETTLED: Sender = { want: () => {} };

export class SecondRun implements BodyRun {
  readonly awaitsEach: boolean;
  readonly computing = null;
  /** the operations that the body has issued */
  readonly operations: Operation<unknown>[] = [];
  readonly #attempt: ForecastAttempt;
  readonly #turns: Turns;
  /** those of the member, in order, and the results of those that have one */
  readonly #expected: readonly Call[];
  readonly #results: readonly WireValue[];
  /** the member only observes, since the body threw: its other operations count for nothing */
  readonly #observesOnly: boolean;
  readonly #began: number;
  #next = 0;
  #nextResult = 0;
  #out = false;
  #ended = false;

  constructor(
    attempt: ForecastAttempt,
    turns: Turns,
    expected: readonly Call[],
    results: readonly WireValue[],
    { awaitsEach, observesOnly }: { awaitsEach: boolean; observesOnly: boolean },
  ) {
    this.#attempt = attempt;
    this.#turns = turns;
    this.#expected = expected;
    this.#results = results;
    this.awaitsEach = awaitsEach;
    this.#observesOnly = observesOnly;
    this.#began = turns.mark();
  }

  issue<Result>(spec: OperationSpec, key: string, args: readonly unknown[]): Operation<Result> {
    const { error, record } = this.#attempt;
    if (error !== null || this.#ended) throw error ?? attemptEnded(spec, key);
    const operation =
      record === null ? new Operation<Result>(SETTLED, spec, key, args) : record.operation<Result>(SETTLED, spec, key, args);
    this.operations.push(operation);
    const counts = !this.#observesOnly || spec.operationClass === 'observe';
    if (counts && !this.#out) {
      const expected = this.#expected[this.#next++];
      this.#out = expected === undefined || !isSameCallOnRecord(expected, operation);
    }
    if (this.#out) operation.fail(otherOperations);
    else if (spec.result === 'void') operation.settle(undefined);
    else if (counts) operation.settle(resultOf(spec.result, this.#takeResult()));
    else {
      this.#out = true;
      operation.fail(otherOperations);
    }
    return operation;
  }

  #takeResult(): WireValue {
    if (this.#nextResult === this.#results.length) throw malformed('a result is missing');
    return this.#results[this.#nextResult++]!;
  }

  bodyDone(): void {
    this.#end(null);
  }

  bodyThrew(thrown: unknown): void {
    this.#end({ value: thrown });
  }

  #end(thrown: { readonly value: unknown } | null): void {
    this.#ended = true;
    const isSame = !this.#out && this.#next === this.#expected.length;
    // A throw is an outcome like any other: the forecast must have had it too.
    const straight = !this.#turns.passedSince(this.#began);
    this.#attempt.secondRunEnded(isSame && (thrown !== null) === this.#observesOnly, straight, thrown);
  }
}

/** The error of operations that the forecast did not make, or made otherwise. A caller sees it only as the reason of `gave_up`. */
export const otherOperations = stacklessError({
  code: codes.chainBroken,
  message: 'on the true results the body went another way than in its forecast',
  retryable: true,
});

/** The error of an attempt whose member was answered again after its body had run; likewise. */
export const otherResults = stacklessError({
  code: codes.chainBroken,
  message: 'what it was executed on was taken out',
  retryable: true,
});
