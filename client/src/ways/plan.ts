// Plan: which way one transaction goes, attempt by attempt. It takes locks; or runs ahead of them, on a forecast, and is sent whole (crowd/); or is a
// member of an epoch. Nothing else decides it. A plan has no clock: callers say what time it is.

import type { ClaretError } from '../errors/claret-error.ts';
import { OPERATIONS_PER_MEMBER_MAX } from '../values/limits.ts';
import type { ListWay, Way as ListOption } from './epoch-choice.ts';

export type Way = 'locks' | 'ahead' | 'epoch';

/**
 * A transaction of which so many members were taken out takes locks. Each costs little. One locked attempt on a hot record refuses every member that
 * comes meanwhile.
 */
const MEMBERS_OUT_MAX = 8;
/** No sooner: locks that are held now are gone by then, or the client goes back to locks as a whole. */
const FALL_BACK_MS_LEAST = 500;

/** What is known of a transaction from the beginning. */
export interface Traits {
  readonly label: string;
  /** how many operations its list has; null: it is a body */
  readonly listed: number | null;
  /** each operation waits for the one before it */
  readonly oneAtATime: boolean;
  readonly isSnapshot: boolean;
  readonly hasId: boolean;
  /** its options allow that its body runs on a forecast */
  readonly mayBeForecast: boolean;
  /** of a list */
  readonly way: ListOption;
}

/** The choices of the client that a plan depends on. Implemented once, since plans and choices name each other. */
export interface Choices {
  /** New transactions run ahead where they can. */
  readonly goesAhead: boolean;
  mayBeForecast(label: string, isList: boolean, nowMs: number): boolean;
  /** One more transaction takes locks because chains did not take it. False: too many do. */
  fallsBack(): boolean;
  /** One less. */
  hasFallenBack(): void;
}

export class Plan {
  /** its attempts may rely on warranties */
  takesWarranties: boolean;
  readonly #choices: Choices;
  readonly #traits: Traits;
  /** null: it never goes by epochs */
  readonly #listWay: ListWay | null;
  #mayGoAhead: boolean;
  /** its members that were taken out, because their forecasts were wrong or with others of their chains */
  #membersOut = 0;
  #fellBack = false;

  constructor(choices: Choices, traits: Traits, listWay: ListWay | null) {
    this.#choices = choices;
    this.#traits = traits;
    this.#listWay = listWay;
    // A member of an epoch is executed later, and warranties are about what is now.
    this.takesWarranties = !traits.isSnapshot && !this.byEpoch;
    this.#mayGoAhead = traits.mayBeForecast && !traits.hasId && !traits.isSnapshot && !this.byEpoch;
  }

  get byEpoch(): boolean {
    return this.#listWay?.byEpoch ?? false;
  }

  /** The way of the next attempt. `isLast`: none may follow it, so it is not forecast, since a forecast may prove wrong. */
  next(isLast: boolean, nowMs: number): Way {
    if (this.byEpoch) return 'epoch';
    return this.#mayGoAhead && !isLast && this.#goesAhead(nowMs) ? 'ahead' : 'locks';
  }

  #goesAhead(nowMs: number): boolean {
    const { label, listed, oneAtATime } = this.#traits;
    if (!this.#choices.goesAhead) return false;
    if (this.isOutTooOften && this.fallBack(Infinity)) return false;
    if (listed !== null && (listed === 0 || listed > OPERATIONS_PER_MEMBER_MAX)) return false;
    // Nothing of a list has to be guessed, unless each operation waits for the one before it.
    return (listed !== null && !oneAtATime) || this.#choices.mayBeForecast(label, listed !== null, nowMs);
  }

  /** It is worth while to learn whether the body could be forecast. */
  get learns(): boolean {
    return this.#mayGoAhead && this.#traits.listed === null && this.#choices.goesAhead;
  }

  // ---- ahead ----

  get isOutTooOften(): boolean {
    return this.#membersOut >= MEMBERS_OUT_MAX;
  }

  /** A member of it was taken out. `lasting`: another one would be, too. */
  memberOut(lasting = false): void {
    this.#membersOut = lasting ? MEMBERS_OUT_MAX : this.#membersOut + 1;
  }

  /** Chains have not taken it for `triedMs`. True: it takes locks. False: it goes on trying, for longer or because too many others take locks. */
  fallBack(triedMs: number): boolean {
    if (this.#fellBack || !this.#choices.goesAhead) return true;
    return triedMs >= FALL_BACK_MS_LEAST && (this.#fellBack = this.#choices.fallsBack());
  }

  /** From now on it takes locks. */
  takeLocks(): void {
    this.#mayGoAhead = false;
  }

  // ---- epochs ----

  /** An attempt has failed: the next one may take locks where this one was a member of an epoch, or the other way round. */
  failed(error: ClaretError): void {
    if (this.#listWay === null) return;
    const wasMember = this.byEpoch;
    this.#listWay.failed(error);
    if (this.byEpoch) this.takesWarranties = false;
    else if (wasMember) this.takesWarranties = true;
  }

  /** How long it takes tells which way is the faster one. */
  get isMeasured(): boolean {
    return this.#listWay !== null;
  }

  committed(nowMs: number): void {
    this.#listWay?.committed(nowMs);
  }

  /** The transaction has ended, whichever way. */
  ended(): void {
    this.#listWay?.ended();
    if (this.#fellBack) this.#choices.hasFallenBack();
    this.#fellBack = false;
  }
}
