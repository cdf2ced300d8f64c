// Forecast: one run of a body on a picture. It sends nothing but peeks, and finds out which operations the body makes.
//
// Operations without a result are settled at once. One whose result is awaited is answered from the picture: a guess. One whose result is
// not awaited stays pending until the shard has executed the member.

import { attemptEnded } from '../attempt/attempt-errors.ts';
import type { BodyRun, LockingAttempt } from '../attempt/running-attempt.ts';
import { stacklessError, type ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import { Operation, type Sender } from '../operation/operation.ts';
import type { AttemptRecord } from '../reports/attempt-record.ts';
import type { OperationSpec } from '../values/operation-spec.ts';
import { isSame } from '../values/join-rules.ts';
import { resultOf } from '../values/result.ts';
import type { WireValue } from '../values/values.ts';
import { estimatedBytes } from '../wire/operation-size.ts';
import { BodyWatch } from './body-watch.ts';
import type { Crowd } from './crowd.ts';
import { Given, type Guesser } from './given.ts';
import type { Picture } from './picture.ts';
import type { Turns } from './turns.ts';

type AnyOperation = Operation<unknown>;

const OPERATIONS_MAX = 256;
const GUESSES_MAX = 256;
const BYTES_MAX = 128 * 1024;
/** Its results must never be guessed: each is another one. */
const FRESH = new Set(['UIdGenerator.next']);

/**
 * Why a forecast was given up. `busy`: begin anew with a newer picture. The others take locks; `unfit` also says that the label's bodies
 * are none to be forecast.
 */
export type GivenUp = 'busy' | 'peek failed' | 'unfit';

/** The attempt whose body is forecast. */
export interface ForecastAttempt {
  readonly error: ClaretError | null;
  readonly record: AttemptRecord | null;
  readonly turns: Turns;
  crowdOf(key: string): Crowd;
  /** The session's switch is off, or its shard too far behind. */
  takesLocksAt(crowd: Crowd): boolean;
  /** The body, which has got nothing yet, goes on with locks. */
  handOver(): LockingAttempt;
  /** The body has returned, or thrown. */
  forecastEnded(forecast: Forecast, thrown: { readonly value: unknown } | null): void;
}

export class Forecast implements BodyRun, Sender, Guesser {
  readonly awaitsEach: boolean;
  /** in the order of issue */
  readonly operations: AnyOperation[] = [];
  /** the shard of its operations; null: it has issued none */
  crowd: Crowd | null = null;
  /** those whose results were awaited: the guesses */
  readonly asked: AnyOperation[] = [];
  givenUp: GivenUp | null = null;
  /** the body awaited nothing but operations */
  straight = true;
  readonly #attempt: ForecastAttempt;
  /** null: the session's */
  readonly #picture: Picture | null;
  readonly #watch: BodyWatch;
  #given: Given | null = null;
  #epoch = 0;
  #bytes = 0;
  #locking: LockingAttempt | null = null;
  #ended = false;

  constructor(attempt: ForecastAttempt, picture: Picture | null, awaitsEach: boolean) {
    this.#attempt = attempt;
    this.#picture = picture;
    this.awaitsEach = awaitsEach;
    this.#watch = new BodyWatch(attempt.turns);
  }

  // ---- the body ----

  issue<Result>(spec: OperationSpec, key: string, args: readonly unknown[]): Operation<Result> {
    if (this.#locking !== null) return this.#locking.issue(spec, key, args);
    const { error, record } = this.#attempt;
    if (error !== null || this.#ended) throw error ?? attemptEnded(spec, key);
    const crowd = this.#attempt.crowdOf(key);
    if (this.crowd === null) {
      if (this.#attempt.takesLocksAt(crowd)) {
        this.#locking = this.#attempt.handOver();
        return this.#locking.issue(spec, key, args);
      }
      this.crowd = crowd;
    }
    const operation = record === null ? new Operation<Result>(this, spec, key, args) : record.operation<Result>(this, spec, key, args);
    this.operations.push(operation);
    this.#bytes += estimatedBytes(operation);
    if (crowd !== this.crowd || this.operations.length > OPERATIONS_MAX || this.#bytes > BYTES_MAX) this.#giveUp('unfit');
    // An error thrown at once would keep the body from awaiting its other operations.
    if (this.givenUp !== null) operation.fail(begunAnew);
    else if (spec.result === 'void') operation.settle(undefined);
    return operation;
  }

  /** The result is awaited: it is guessed. */
  want(operation: AnyOperation): void {
    if (this.givenUp !== null || this.#ended || this.#attempt.error !== null) return;
    const crowd = this.crowd!;
    this.asked.push(operation);
    if (this.asked.length > GUESSES_MAX || FRESH.has(operation.spec.name)) return this.#giveUp('unfit');
    if (this.#given === null) {
      this.#given = new Given(this.#picture ?? crowd.picture, crowd.peeks, this);
      this.#epoch = crowd.session.epoch;
    }
    // The picture of a lost session may show what is not durable.
    if (this.#epoch !== crowd.session.epoch) return this.#giveUp('busy');
    this.#given.answer(operation);
  }

  bodyDone(): void {
    if (this.#locking !== null) return this.#locking.bodyDone();
    this.#end();
    this.#attempt.forecastEnded(this, null);
  }

  bodyThrew(thrown: unknown): void {
    if (this.#locking !== null) return this.#locking.bodyThrew(thrown);
    this.#end();
    this.#attempt.forecastEnded(this, { value: thrown });
  }

  #end(): void {
    this.#ended = true;
    this.#given?.end();
    this.straight = this.#watch.end();
  }

  // ---- guesses ----

  pending(): void {
    this.#watch.began();
  }

  answered(): void {
    this.#watch.ended();
  }

  onBusy(): void {
    this.#giveUp('busy');
  }

  onPeekFailed(): void {
    this.#giveUp('peek failed');
  }

  /** The body runs to its end, and nothing comes of it. */
  #giveUp(why: GivenUp): void {
    if (this.givenUp !== null) return;
    this.givenUp = why;
    this.fail(begunAnew);
  }

  // ---- the shard's results ----

  /** Every guess is what the shard has answered: a second run would repeat this one. `results`: of the operations that have one. */
  isRight(results: readonly WireValue[]): boolean {
    let next = 0;
    return this.operations.every((operation) => {
      if (operation.spec.result === 'void') return true;
      const result = results[next++];
      const asked = operation.settled || operation.awaited;
      return !asked || isSame(operation.guess, result);
    });
  }

  /** Settles what the body has not asked for. */
  settle(results: readonly WireValue[]): void {
    let next = 0;
    for (const operation of this.operations) {
      if (operation.spec.result !== 'void') operation.settle(resultOf(operation.spec.result, results[next++]!));
    }
  }

  fail(error: ClaretError): void {
    this.#given?.end();
    for (const operation of this.operations) operation.fail(error);
  }
}

/** The error of operations whose body begins anew. No caller sees it. */
const begunAnew = stacklessError({ code: codes.chainBroken, message: 'The forecast begins anew', retryable: true });
