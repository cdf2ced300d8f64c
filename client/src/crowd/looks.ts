// Looks: pictures over several shards (docs/clients.md). A look is a member that only observes: its results are those of one place in the
// chain, where each shard has executed it. As soon as it is concluded it is taken out, and its results are the picture for forecasts, at the
// least time that its shards' clocks had reached. What the picture does not show is peeked at that time.
//
// A look shows what forecasts have lately found to be hot: what no peek could tell. A picture is used for some time, since one that is a little old
// predicts as well.

import type { AttemptOwner } from '../attempt/attempt-owner.ts';
import { isSameCallOnRecord } from '../attempt/lock-set.ts';
import type { Environment, Timer } from '../environment/environment.ts';
import type { AttemptReceiver } from '../session/incoming.ts';
import type { Call } from '../values/call.ts';
import type { WireValue } from '../values/values.ts';
import type { Begin } from '../wire/client-frame.ts';
import { estimatedBytes } from '../wire/operation-size.ts';
import { isBefore, type Wide } from '../wire/wide.ts';
import type { WireError } from '../wire/wire-error.ts';
import type { Chains } from './chains.ts';
import { Member, type MemberOwner } from './member.ts';
import type { PartSession } from './part.ts';
import { pictureOf, type Picture } from './picture.ts';
import { WholeAttempt, type AttemptId } from './whole-attempt.ts';

/** Calls that are shown, and for how long since they were last wanted. They travel together, so long ones are not shown. */
const CALLS_MAX = 64;
const CALL_BYTES_MAX = 4 * 1024;
const WANTED_MS = 1_000;
/** A picture is renewed when it is used at this age, and not used any more at that one. */
const RENEWED_MS = 2;
const USED_MS_MAX = 10;
const LOOK_MS_MAX = 5_000;

interface LooksDependencies {
  readonly environment: Environment;
  readonly attempts: {
    add(attempt: AttemptReceiver & { number: number }): void;
    remove(attempt: AttemptReceiver & { number: number }): void;
  };
  readonly chains: Chains;
  nextId(): AttemptId;
  sessionOf(key: string): PartSession;
}

/** An attempt whose forecast needs a picture. Implemented once, since attempts stand above their looks. */
export interface Looker {
  readonly owner: AttemptOwner;
  onWaited(locks: number, microseconds: number): void;
  onPicture(picture: Picture): void;
  /** `lasting`: another look would fail too. */
  onNoPicture(lasting: boolean): void;
}

interface Hot {
  readonly call: Call;
  wantedMs: number;
}

export class Looks {
  readonly #dependencies: LooksDependencies;
  /** at most CALLS_MAX, and the same by key */
  readonly #calls: Hot[] = [];
  readonly #hot = new Map<string, Hot[]>();
  #picture: Picture | null = null;
  /** of all pictures of the present chain */
  #over = { is: false };
  #takenMs = 0;
  #look: WideLook | null = null;
  #waiting: Looker[] = [];

  constructor(dependencies: LooksDependencies) {
    this.#dependencies = dependencies;
  }

  /** No peek could tell its result: the next look shows it. */
  hot(call: Call): void {
    if (call.spec.operationClass !== 'observe' || estimatedBytes(call) > CALL_BYTES_MAX) return;
    const known = this.#find(call);
    if (known !== undefined) {
      known.wantedMs = this.#nowMs;
      return;
    }
    if (this.#calls.length === CALLS_MAX)
      this.#forget(this.#calls.reduce((oldest, one) => (one.wantedMs < oldest.wantedMs ? one : oldest)));
    const hot = { call, wantedMs: this.#nowMs };
    this.#calls.push(hot);
    const there = this.#hot.get(call.key);
    if (there === undefined) this.#hot.set(call.key, [hot]);
    else there.push(hot);
  }

  #forget(hot: Hot): void {
    this.#calls.splice(this.#calls.indexOf(hot), 1);
    const left = this.#hot.get(hot.call.key)!.filter((one) => one !== hot);
    if (left.length === 0) this.#hot.delete(hot.call.key);
    else this.#hot.set(hot.call.key, left);
  }

  /** The picture has shown it to a forecast. */
  used(call: Call): void {
    const hot = this.#find(call);
    if (hot !== undefined) hot.wantedMs = this.#nowMs;
  }

  #find(call: Call): Hot | undefined {
    return this.#hot.get(call.key)?.find((hot) => isSameCallOnRecord(hot.call, call));
  }

  /** The newest picture, unless it is too old; null: there is none. */
  newest(owner: AttemptOwner): Picture | null {
    const ageMs = this.#nowMs - this.#takenMs;
    if (this.#picture !== null && ageMs > RENEWED_MS && this.#look === null) this.#take(owner, []);
    return ageMs > USED_MS_MAX ? null : this.#picture;
  }

  /** The looker gets a picture that shows what is hot now. */
  wait(looker: Looker): void {
    this.#waiting.push(looker);
    if (this.#look === null) this.#takeNext();
  }

  leave(looker: Looker): void {
    this.#waiting = this.#waiting.filter((one) => one !== looker);
    this.#look?.leave(looker);
  }

  /** The chain is broken: what was seen of it may never have been. */
  onBroken(): void {
    this.#over.is = true;
    this.#over = { is: false };
    this.#picture = null;
  }

  #takeNext(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length > 0) this.#take(waiting[0]!.owner, waiting);
  }

  #take(owner: AttemptOwner, lookers: Looker[]): void {
    const sinceMs = this.#nowMs - WANTED_MS;
    for (const hot of this.#calls.filter(({ wantedMs }) => wantedMs < sinceMs)) this.#forget(hot);
    // A look that waits for a shard would hold up the chain at the others.
    const calls = this.#calls.map(({ call }) => call).filter(({ key }) => this.#dependencies.sessionOf(key).live);
    if (calls.length === 0) {
      for (const looker of lookers) looker.onNoPicture(true);
      return;
    }
    const look = new WideLook(owner, calls, lookers, this.#dependencies, this.#over, {
      ended: (picture) => this.#onLook(look, picture),
      // The next look leaves out what has refused this one.
      refused: (key) => this.#calls.filter(({ call }) => call.key === key).forEach((hot) => this.#forget(hot)),
    });
    this.#look = look;
    look.send();
  }

  #onLook(look: WideLook, picture: Picture | null): void {
    if (this.#look !== look) return;
    this.#look = null;
    if (picture !== null) {
      this.#picture = picture;
      this.#takenMs = this.#nowMs;
    }
    this.#takeNext();
  }

  get #nowMs(): number {
    return this.#dependencies.environment.monotonicMs();
  }
}

interface LookListener {
  ended(picture: Picture | null): void;
  /** The record of that key is locked, or refuses the call. */
  refused(key: string): void;
}

class WideLook extends WholeAttempt implements MemberOwner {
  readonly #calls: readonly Call[];
  #lookers: Looker[];
  readonly #dependencies: LooksDependencies;
  readonly #over: { readonly is: boolean };
  readonly #listener: LookListener;
  readonly #member: Member;
  readonly #deadlineMs: number;
  readonly #timer: Timer;
  #picture: Picture | null = null;

  constructor(
    owner: AttemptOwner,
    calls: readonly Call[],
    lookers: Looker[],
    dependencies: LooksDependencies,
    over: { readonly is: boolean },
    listener: LookListener,
  ) {
    super(owner, dependencies.nextId());
    this.#calls = calls;
    this.#lookers = lookers;
    this.#dependencies = dependencies;
    this.#over = over;
    this.#listener = listener;
    const { environment } = dependencies;
    this.#deadlineMs = environment.monotonicMs() + LOOK_MS_MAX;
    this.#timer = environment.setTimeout(() => this.#giveUp(), LOOK_MS_MAX);
    this.#member = new Member(this, calls, (key) => dependencies.sessionOf(key), { patient: false, timed: true });
  }

  override get deadlineMs(): number {
    return this.#deadlineMs;
  }

  send(): void {
    this.#dependencies.attempts.add(this);
    this.#dependencies.chains.send(this.#member);
  }

  leave(looker: Looker): void {
    this.#lookers = this.#lookers.filter((one) => one !== looker);
  }

  beginOf(_shard: number, nowMs: number): Begin {
    return this.beginAt(this.#member.parts[0]!.session.shard, nowMs);
  }

  onWaited(locks: number, microseconds: number): void {
    for (const looker of this.#lookers) looker.onWaited(locks, microseconds);
  }

  onTurn(results: WireValue[]): void {
    this.#picture = pictureOf(leastTime(this.#member), this.#calls, results, this.#over);
    this.#dependencies.chains.concluded(this.#member, false);
  }

  onOut(): void {
    this.#end(this.#picture, false);
  }

  onRefused({ key }: WireError): void {
    if (key !== '') this.#listener.refused(key);
    this.#end(null, false);
  }

  #giveUp(): void {
    this.#dependencies.chains.leave(this.#member);
    this.#end(null, false);
  }

  onBroken(): void {
    this.#end(null, false);
  }

  onStale(): void {
    this.#end(null, false);
  }

  onLost(): void {
    this.#end(null, false);
  }

  #end(picture: Picture | null, lasting: boolean): void {
    const { attempts, environment } = this.#dependencies;
    attempts.remove(this);
    environment.clearTimeout(this.#timer);
    this.#listener.ended(picture);
    for (const looker of this.#lookers) {
      if (picture === null) looker.onNoPicture(lasting);
      else looker.onPicture(picture);
    }
  }

  // It is never sent again, and never commits.

  onDenied(): void {}

  fallBack(): boolean {
    return true;
  }

  onWord(): void {}

  onCommitted(): void {}

  onUnknown(): void {}
}

function leastTime({ parts }: Member): Wide {
  let least: Wide | null = null;
  for (const { at } of parts) if (at !== null && (least === null || isBefore(at, least))) least = at;
  return least ?? { high: 0, low: 0 };
}
