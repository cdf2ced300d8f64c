// Forecast: one run of a body on a picture. It sends nothing but peeks, and finds out which operations the body makes.
//
// Operations without a result are settled at once. One whose result is awaited is answered from the picture: a guess. One whose result is
// not awaited stays pending until the shard has executed the member.

import { attemptEnded } from '../attempt/attempt-errors.ts';
import type { AttemptOwner } from '../attempt/attempt-owner.ts';
import type { LockSet } from '../attempt/lock-set.ts';
import type { BodyRun } from '../attempt/running-attempt.ts';
import { stacklessError, type ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import { Operation, type Sender } from '../operation/operation.ts';
import type { AttemptRecord } from '../reports/attempt-record.ts';
import type { Call } from '../values/call.ts';
import { isNamed, isOfRecord, type OperationSpec } from '../values/operation-spec.ts';
import { isSame } from '../values/same.ts';
import { resultOf } from '../values/result.ts';
import type { WireValue } from '../values/values.ts';
import { OPERATIONS_PER_MEMBER_MAX } from '../values/limits.ts';
import { estimatedBytes } from '../wire/operation-size.ts';
import { BodyWatch } from './body-watch.ts';
import type { CrowdContext } from './crowd-context.ts';
import type { ShardCrowd } from './shard-crowd.ts';
import { Given, type GivenUp, type Guesser } from './given.ts';
import type { Picture } from './picture.ts';

type AnyOperation = Operation<unknown>;

const GUESSES_MAX = 256;
const BYTES_MAX = 128 * 1024;
/** Its results must never be guessed: each is another one. */
const FRESH = new Set(['UIdGenerator.next']);

/** What a body has thrown; null: it has returned. */
export type Thrown = { readonly value: unknown } | null;

/** The attempt whose body is forecast, and may run again. Implemented once, since an attempt makes the runs of its body, which end by telling it. */
export interface ForecastAttempt {
  readonly owner: AttemptOwner;
  readonly error: ClaretError | null;
  readonly record: AttemptRecord | null;
  /** It has an end, or takes locks. */
  readonly ended: boolean;
  /** The body, which has got nothing yet, goes on with locks. */
  handOver(): BodyRun;
  /** The body has returned, or thrown. */
  forecastEnded(forecast: Forecast, thrown: Thrown): void;
  /** The body has ended after the attempt had failed. */
  bodyEnded(error: ClaretError, thrown: Thrown): void;
  /** It goes on with locks, from the beginning. */
  takeLocks(lockSets: ReadonlyMap<number, LockSet> | null): void;
  /**
   * The forecast is sent.
   * @param ends it depends on none of its results
   * @param thrown the error of the body, with which it would end
   */
  send(operations: readonly Call[], ends: boolean, thrown: Thrown): void;
  onWaited(locks: number, microseconds: number): void;
  fail(error: ClaretError): void;
  /**
   * @param isIn it made the operations of the forecast
   * @param straight it awaited nothing but operations
   */
  secondRunEnded(isIn: boolean, straight: boolean, thrown: Thrown): void;
}

export class Forecast implements BodyRun, Sender, Guesser {
  readonly awaitsEach: boolean;
  readonly computing = null;
  /** in the order of issue */
  readonly operations: AnyOperation[] = [];
  /** the shards of its operations */
  readonly crowds: ShardCrowd[] = [];
  /** those whose results were awaited: the guesses */
  readonly asked: AnyOperation[] = [];
  givenUp: GivenUp | null = null;
  /** the body awaited nothing but operations */
  straight = true;
  readonly #attempt: ForecastAttempt;
  readonly #context: CrowdContext;
  /** its records are on several shards, or are to be expected there */
  wide: boolean;
  /** null: the newest */
  readonly #picture: Picture | null;
  readonly #watch: BodyWatch;
  #given: Given | null = null;
  /** by shard, those of the sessions when something was first wanted there */
  readonly #epochs: number[] = [];
  #bytes = 0;
  #locking: BodyRun | null = null;
  #ended = false;

  constructor(attempt: ForecastAttempt, context: CrowdContext, picture: Picture | null, options: { awaitsEach: boolean; wide: boolean }) {
    this.#attempt = attempt;
    this.#context = context;
    this.#picture = picture;
    this.awaitsEach = options.awaitsEach;
    this.wide = options.wide;
    this.#watch = new BodyWatch(context.crowd.turns);
  }

  // ---- the body ----

  issue<Result>(spec: OperationSpec, key: string, args: readonly unknown[]): Operation<Result> {
    if (this.#locking !== null) return this.#locking.issue(spec, key, args);
    const { error, record } = this.#attempt;
    if (error !== null || this.#ended) throw error ?? attemptEnded(spec, key);
    const crowd = this.#context.crowd.of(key);
    if (this.crowds.length === 0 && this.#takesLocksAt(crowd)) {
      this.#locking = this.#attempt.handOver();
      return this.#locking.issue(spec, key, args);
    }
    if (!this.crowds.includes(crowd)) this.crowds.push(crowd);
    const operation = record === null ? new Operation<Result>(this, spec, key, args) : record.operation<Result>(this, spec, key, args);
    this.operations.push(operation);
    this.#bytes += estimatedBytes(operation);
    if (this.operations.length > OPERATIONS_PER_MEMBER_MAX || this.#bytes > BYTES_MAX || isOfRecord(spec)) this.giveUp('unfit');
    else if (!this.wide && this.crowds.length > 1) this.#widen();
    // An error thrown at once would keep the body from awaiting its other operations.
    if (this.givenUp !== null) operation.fail(begunAnew);
    else if (spec.result === 'void') operation.settle(undefined);
    return operation;
  }

  /** A picture of one shard does not go with results of another. */
  #widen(): void {
    this.wide = true;
    if (this.#given !== null && !this.#given.change(this.#widePicture())) this.giveUp('busy');
  }

  /** The result is awaited: it is guessed. */
  want(operation: AnyOperation): void {
    if (this.givenUp !== null || this.#ended || this.#attempt.error !== null) return;
    const crowd = this.#context.crowd.of(operation.key);
    this.asked.push(operation);
    // A board names what it shows by the shard's codes, so it cannot show the result of a named operation: on a hot record that would be
    // asked for again and again. Without a result there is nothing to guess.
    if (this.asked.length > GUESSES_MAX || FRESH.has(operation.spec.name) || isNamed(operation.spec)) return this.giveUp('unfit');
    this.#given ??= new Given(this.#pictureFor(crowd), this.#context.crowd, this.#watch, this);
    // What a lost session has shown may not be durable.
    this.#epochs[crowd.shard] ??= crowd.session.epoch;
    if (this.crowds.some(({ shard, session }) => this.#epochs[shard] !== undefined && this.#epochs[shard] !== session.epoch)) {
      return this.giveUp('busy');
    }
    this.#given.answer(operation);
  }

  #pictureFor(crowd: ShardCrowd): Picture | null {
    return this.#picture ?? (this.wide ? this.#widePicture() : crowd.use());
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

  /** The client's switch is off, or the shard too far behind. */
  #takesLocksAt({ session }: ShardCrowd): boolean {
    const { crowd, environment } = this.#context;
    if (!crowd.on) return true;
    const { owner } = this.#attempt;
    if (!session.live || owner.retries > 0) return false;
    // Then it is refused at once (attempt.ts).
    const nowMs = environment.monotonicMs();
    return session.behindMs(nowMs) >= owner.deadlineMs - nowMs;
  }

  /** The newest picture over several shards; null: there is none. */
  #widePicture(): Picture | null {
    return this.#context.crowd.looks.newest(this.#attempt.owner);
  }

  /** The body runs to its end, and nothing comes of it. */
  giveUp(why: GivenUp): void {
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
