// Uses: the warranties on which one attempt relies.
//
// A body must never see two things that did not hold together: it might throw, or never end. So whenever it is given something, all that it was
// given before has to hold at that moment: under locks of the attempt, or by warranties that stand. If a warranty has fallen, its shard is asked
// whether the result is still the same, and what else has come is held back until then.

import type { Environment } from '../environment/environment.ts';
import type { Operation, Witness } from '../operation/operation.ts';
import type { Call } from '../values/call.ts';
import type { Wide } from '../wire/wide.ts';
import type { VoteLimits } from '../wire/client-frame.ts';
import type { Grant } from './grant.ts';
import { relianceOf, type Reliance, type ReliantAttempt } from './reliance.ts';
import type { Answer } from './grant-table.ts';
import { Use } from './use.ts';
import type { Warranties } from './warranties.ts';

type AnyOperation = Operation<unknown>;

/** A result on which something rests that was found out before. Implemented once, since computations stand above warranties. */
export interface Reason extends Witness {
  readonly grant: Grant;
}

interface HeldBack {
  readonly operation: AnyOperation;
  readonly result: unknown;
}

export class Uses {
  /** operations that were answered from memory */
  answers = 0;
  readonly #attempt: ReliantAttempt;
  readonly #warranties: Warranties;
  readonly #environment: Environment;
  readonly #uses = new Map<Grant, Use>();
  /** validations that are not answered */
  #asked = 0;
  /** All stood when the client had seen so many falls, and stand until then if there is no other. */
  #falls = 0;
  #untilMs = -Infinity;
  #heldBack: HeldBack[] = [];
  /** null: the body runs */
  #reliance: Reliance | null = null;

  constructor(attempt: ReliantAttempt, warranties: Warranties, environment: Environment) {
    this.#attempt = attempt;
    this.#warranties = warranties;
    this.#environment = environment;
  }

  /** what has answered */
  get grants(): readonly Grant[] {
    return [...this.#uses.keys()];
  }

  /** All that the body was given holds, also if the steady clock stood still for a while: what follows from it is told to others. */
  holdForCertain(): boolean {
    const nowMs = this.#environment.monotonicMs();
    this.#warranties.look(nowMs);
    return this.hold(nowMs);
  }

  /** All that the body was given holds. */
  hold(nowMs: number): boolean {
    if (this.#asked > 0) return false;
    const { falls } = this.#warranties;
    if (falls === this.#falls && nowMs < this.#untilMs) return true;
    let untilMs = Infinity;
    for (const { grant, locked } of this.#uses.values()) {
      if (locked) continue;
      if (!grant.stands(nowMs)) return false;
      untilMs = Math.min(untilMs, grant.holder.leaseUntilMs);
    }
    this.#falls = falls;
    this.#untilMs = untilMs;
    return true;
  }

  /**
   * The answer to an operation of the body, on which the attempt relies from now on. Null: the operation has to go to its shard, and what has fallen
   * goes along.
   */
  answer(call: Call): Answer | null {
    const nowMs = this.#environment.monotonicMs();
    if (!this.hold(nowMs)) {
      this.#validateFallen(nowMs);
      return null;
    }
    const answer = this.#warranties.answer(call, nowMs);
    if (answer === null) return null;
    const { grant } = answer;
    const use = this.#uses.get(grant);
    if (use === undefined) this.#uses.set(grant, new Use(grant, call));
    else use.answered.push(call);
    this.answers++;
    this.#untilMs = Math.min(this.#untilMs, grant.holder.leaseUntilMs);
    this.#warranties.answered(grant, nowMs);
    return answer;
  }

  /**
   * The attempt relies on all of these from now on. What has fallen, or never stood, is asked for with its digest. Returns what has to be
   * awaited before the body is told anything that follows: nothing if all holds.
   * REQUIRES: the body runs.
   */
  relyOn(reasons: readonly Reason[]): readonly Operation<unknown>[] {
    const nowMs = this.#environment.monotonicMs();
    this.relyLate(reasons);
    if (this.hold(nowMs)) return [];
    this.#validateFallen(nowMs);
    return [...this.#uses.values()].flatMap(({ validation }) => (validation === null || validation.settled ? [] : [validation]));
  }

  /** The same for a body that is told nothing any more: what does not stand is asked for with the votes. */
  relyLate(reasons: readonly Reason[]): void {
    const nowMs = this.#environment.monotonicMs();
    this.#warranties.look(nowMs);
    for (const reason of reasons) {
      const use = this.#useOf(reason);
      use.witness ??= reason;
      if (reason.grant.stands(nowMs)) this.#warranties.answered(reason.grant, nowMs);
    }
    this.#untilMs = -Infinity;
  }

  #useOf({ grant }: { readonly grant: Grant }): Use {
    const found = this.#uses.get(grant);
    if (found !== undefined) return found;
    const use = new Use(grant, grant.call);
    this.#uses.set(grant, use);
    return use;
  }

  #validateFallen(nowMs: number): void {
    for (const use of this.#uses.values()) if (!use.asked && !use.grant.stands(nowMs)) this.#ask(use, true);
  }

  #ask(use: Use, atOnce: boolean): void {
    use.asked = true;
    this.#asked++;
    use.validation = this.#attempt.validate(use, atOnce);
  }

  // ---- replies ----

  /** The result of a use is still the same, and under a lock of the attempt. */
  validated(use: Use): void {
    use.locked = true;
    this.#asked--;
  }

  /** A shard has answered the operation. The body is told with `tell`. */
  holdBack(operation: AnyOperation, result: unknown): void {
    this.#heldBack.push({ operation, result });
  }

  /** A reply has been read: the body is told what was held back, as soon as all holds together. */
  tell(): void {
    const nowMs = this.#environment.monotonicMs();
    if (this.#attempt.running && !this.hold(nowMs)) return this.#validateFallen(nowMs);
    const heldBack = this.#heldBack;
    this.#heldBack = [];
    for (const { operation, result } of heldBack) operation.settle(result);
  }

  // ---- the end ----

  /**
   * The body is done. Adds what is to be validated to the attempt, and pins the rest: all of it stands now, the moment as of which an attempt
   * without a message has read.
   */
  conclude(): void {
    const nowMs = this.#environment.monotonicMs();
    this.#warranties.look(nowMs);
    const heldBack = this.#heldBack;
    this.#heldBack = [];
    for (const { operation, result } of heldBack) operation.settle(result);
    const reliance = relianceOf(
      [...this.#uses.values()].filter(({ asked }) => !asked),
      this.#attempt,
      nowMs,
    );
    this.#reliance = reliance;
    for (const use of reliance.validated) this.#ask(use, false);
    for (const { grant } of reliance.pinned) grant.pin(this.#attempt);
  }

  /** The limits of a vote; null: it has none. REQUIRES: concluded. */
  limitsAt(shard: number): VoteLimits | null {
    const { pinned, at, notAfter, untilMs } = this.#reliance!;
    if (pinned.length === 0) return null;
    return { notBefore: at, notAfter, notAfterUs: this.#warranties.at(shard).clock.atLeastUs(untilMs) };
  }

  /** The timestamp as of which an attempt without a message has read. REQUIRES: concluded. */
  get readAt(): Wide {
    return this.#reliance!.at;
  }

  /**
   * The attempt has an end.
   * @param at of its commit; null: the client could not find out whether it commits
   * @param alone without a message
   */
  decided(at: Wide | null, alone: boolean): void {
    if (at === null) return this.#giveUp();
    const [grant] = this.#uses.keys();
    if (alone && grant !== undefined) this.#warranties.committed(grant);
    this.end(at);
  }

  /** The attempt has ended: committed at that time, or without an effect. */
  end(committedAt: Wide | null): void {
    const pinned = this.#takePinned();
    if (committedAt !== null && pinned.length > 0) this.#warranties.used(committedAt);
    for (const { grant } of pinned) grant.unpin(this.#attempt);
  }

  /** It may commit as long as what it relies on stands, and no longer. */
  #giveUp(): void {
    if (this.#reliance === null) return;
    const { notAfter, untilMs } = this.#reliance;
    const pinned = this.#takePinned();
    if (pinned.length === 0) return;
    this.#warranties.used(notAfter);
    const unpin = () => {
      for (const { grant } of pinned) grant.unpin(this.#attempt);
    };
    const leftMs = untilMs - this.#environment.monotonicMs();
    if (leftMs <= 0) unpin();
    else this.#environment.setTimeout(unpin, leftMs);
  }

  #takePinned(): readonly Use[] {
    const pinned = this.#reliance?.pinned ?? [];
    if (this.#reliance !== null) this.#reliance = { ...this.#reliance, pinned: [] };
    return pinned;
  }

  /** The body's operations that were answered from memory, for a retry that repeats them. `all`: also those whose results were not validated. */
  calls(all: boolean): readonly Call[] {
    return [...this.#uses.values()].flatMap(({ asked, answered }) => (all || asked ? answered : []));
  }
}
