// Forecasts: the runs of one attempt's body on pictures, one after the other, until one can be sent.
//
// forecast ──busy──▶ forecast, twice; then a look, and a forecast on its picture
//    ├──unfit──▶ an attempt with locks instead
//    └──body ended──▶ sent

import { bodyFailed } from '../attempt/attempt-errors.ts';
import type { AttemptOwner } from '../attempt/attempt-owner.ts';
import { isSameCallOnRecord } from '../attempt/lock-set.ts';
import type { ClaretError } from '../errors/claret-error.ts';
import { observes, type Call } from '../values/call.ts';
import type { CrowdContext } from './crowd-context.ts';
import { Forecast, type ForecastAttempt, type Thrown } from './forecast.ts';
import { canLookAt, Look } from './look.ts';
import type { Looker } from './looks.ts';
import type { Picture } from './picture.ts';
import { Restarts } from './restarts.ts';

export class Forecasts implements Looker {
  readonly owner: AttemptOwner;
  /** the last one */
  current: Forecast;
  readonly #attempt: ForecastAttempt;
  readonly #context: CrowdContext;
  readonly #restarts = new Restarts();
  /** what they have asked for */
  readonly #asked: Call[] = [];
  #look: Look | null = null;
  /** a picture over several shards is waited for */
  #waitsForLook = false;

  constructor(attempt: ForecastAttempt, context: CrowdContext) {
    this.#attempt = attempt;
    this.#context = context;
    this.owner = attempt.owner;
    this.current = this.#new(null, context.crowd.labels.isWide(this.owner.label));
  }

  /** With one operation at a time, a list is like a body that awaits each of them. */
  get awaitsEach(): boolean {
    return this.owner.oneAtATime && this.owner.list !== null;
  }

  /** A look waits for others at its shard. */
  get waits(): boolean {
    return this.#look?.waits ?? false;
  }

  begin(): void {
    this.owner.runBody(this.current);
  }

  /** @param picture null: the session's */
  #new(picture: Picture | null, wide: boolean): Forecast {
    return new Forecast(this.#attempt, this.#context, picture, { awaitsEach: this.awaitsEach, wide });
  }

  /** The body has returned, or thrown. */
  ended(forecast: Forecast, thrown: Thrown): void {
    const { labels } = this.#context.crowd;
    labels.ran(this.owner.label, forecast.straight);
    if (forecast.givenUp === null) labels.forecast(this.owner.label, forecast.crowds.length > 1);
    const attempt = this.#attempt;
    if (attempt.error !== null) return attempt.bodyEnded(attempt.error, thrown);
    if (forecast.givenUp !== null) return this.#onGivenUp(forecast);
    // A body that awaits something else would hold up its chain when it runs again, or even wait for it.
    if (!forecast.straight && forecast.asked.length > 0) return attempt.takeLocks(null);
    if (thrown !== null) return this.#onThrew(forecast, thrown);
    attempt.send(forecast.operations, forecast.asked.length === 0, null);
  }

  #onThrew(forecast: Forecast, thrown: { readonly value: unknown }): void {
    if (forecast.asked.length === 0) {
      this.#attempt.fail(bodyFailed);
      return this.owner.onThrown(thrown.value);
    }
    // What both observes and changes cannot be sent without changing something.
    if (forecast.operations.some(({ spec }) => spec.operationClass === 'both')) return this.#attempt.takeLocks(null);
    this.#attempt.send(forecast.operations.filter(observes), false, thrown);
  }

  #onGivenUp({ givenUp, asked }: Forecast): void {
    const { crowd, environment } = this.#context;
    if (givenUp === 'unfit') crowd.labels.pause(this.owner.label, environment.monotonicMs());
    if (givenUp !== 'busy') return this.#attempt.takeLocks(null);
    for (const operation of asked) {
      if (!this.#asked.some((call) => isSameCallOnRecord(call, operation))) this.#asked.push(operation);
    }
    this.#beginAnew();
  }

  #beginAnew(): void {
    const { counters, delays, environment } = this.#context;
    counters.begunAnew++;
    const pauseUs = this.#restarts.next();
    if (pauseUs === null) return this.#getPicture();
    if (this.owner.plan.fallBack(environment.monotonicMs() - this.owner.begunMs)) return this.#attempt.takeLocks(null);
    delays.after(pauseUs, () => void (this.#attempt.ended || this.#getPicture()));
  }

  #getPicture(): void {
    const { crowd, nextId, attempts } = this.#context;
    const { wide, crowds } = this.current;
    if (wide) {
      if (!this.#asked.every(observes)) return this.#attempt.takeLocks(null);
      this.#waitsForLook = true;
      return crowd.looks.wait(this);
    }
    if (this.#restarts.isEarly) return this.#again(null);
    if (!canLookAt(this.#asked)) return this.#attempt.takeLocks(null);
    this.#look = new Look(this.owner, nextId(), crowds[0]!.session, this.#asked, this, { attempts, chains: crowd.chains });
    this.#look.send();
  }

  #again(picture: Picture | null): void {
    this.#attempt.record?.restart();
    this.current = this.#new(picture, this.current.wide);
    this.begin();
  }

  onWaited(locks: number, microseconds: number): void {
    this.#attempt.onWaited(locks, microseconds);
  }

  onPicture(picture: Picture): void {
    this.#look = null;
    this.#waitsForLook = false;
    if (!this.#attempt.ended) this.#again(picture);
  }

  onNoPicture(lasting: boolean): void {
    this.#look = null;
    this.#waitsForLook = false;
    if (this.#attempt.ended) return;
    if (lasting) this.#attempt.takeLocks(null);
    else this.#beginAnew();
  }

  /** The attempt has failed. */
  fail(error: ClaretError): void {
    this.current.fail(error);
    this.#look?.leave();
    if (this.#waitsForLook) this.#context.crowd.looks.leave(this);
  }
}
