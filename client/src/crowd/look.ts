// Look: a member that only observes. Its results, all of the time at which it committed, are the picture for a forecast that newer boards and
// peeks could not serve: records that change all the time are not to be had one by one.

import type { AttemptOwner } from '../attempt/attempt-owner.ts';
import { observes, type Call } from '../values/call.ts';
import type { WireValue } from '../values/values.ts';
import type { Begin } from '../wire/client-frame.ts';
import { estimatedBytes } from '../wire/operation-size.ts';
import type { Wide } from '../wire/wide.ts';
import type { Chains } from './chains.ts';
import type { Looker } from './looks.ts';
import { Member, type MemberOwner } from './member.ts';
import type { PartSession } from './part.ts';
import { pictureOf } from './picture.ts';
import { WholeAttempt, type AttemptId } from './whole-attempt.ts';

interface LookDependencies {
  readonly attempts: { add(attempt: WholeAttempt): void; remove(attempt: WholeAttempt): void };
  readonly chains: Chains;
}

const CALLS_MAX = 256;
const BYTES_MAX = 256 * 1024;

/** Whether one look can show all of that. */
export function canLookAt(calls: readonly Call[]): boolean {
  if (calls.length === 0 || calls.length > CALLS_MAX || !calls.every(observes)) return false;
  return calls.reduce((bytes, call) => bytes + estimatedBytes(call), 0) <= BYTES_MAX;
}

export class Look extends WholeAttempt implements MemberOwner {
  readonly #calls: readonly Call[];
  readonly #session: PartSession;
  readonly #chains: Chains;
  readonly #looker: Looker;
  readonly #member: Member;
  readonly #attempts: LookDependencies['attempts'];

  /** @param calls observing ones */
  constructor(
    owner: AttemptOwner,
    id: AttemptId,
    session: PartSession,
    calls: readonly Call[],
    looker: Looker,
    { attempts, chains }: LookDependencies,
  ) {
    super(owner, id);
    this.#calls = calls;
    this.#session = session;
    this.#looker = looker;
    this.#attempts = attempts;
    this.#chains = chains;
    this.#member = new Member(this, calls, () => session, { ends: true });
  }

  send(): void {
    this.#attempts.add(this);
    this.#chains.send(this.#member);
  }

  get waits(): boolean {
    return this.#member.state === 'sent' && this.#session.live;
  }

  beginOf(shard: number, nowMs: number): Begin {
    return this.beginAt(shard, nowMs);
  }

  /** The picture is no longer wanted. */
  leave(): void {
    this.#attempts.remove(this);
    this.#chains.leave(this.#member);
  }

  onWaited(locks: number, microseconds: number): void {
    this.#looker.onWaited(locks, microseconds);
  }

  onCommitted(at: Wide, results: WireValue[] | null): void {
    this.#attempts.remove(this);
    this.#looker.onPicture(pictureOf(at, this.#calls, results!));
  }

  onRefused(): void {
    this.#attempts.remove(this);
    this.#looker.onNoPicture(true);
  }

  onBroken(): void {
    this.#attempts.remove(this);
    this.#looker.onNoPicture(false);
  }

  onLost(): void {
    this.onBroken();
  }

  // It ends by itself: it has no second run, and cannot be out.

  onDenied(): void {}

  fallBack(): boolean {
    return true;
  }

  onTurn(): void {}

  onWord(): void {}

  onOut(): void {}

  onUnknown(): void {
    this.onBroken();
  }

  /** It was taken for committed as its chain broke, and then refused. */
  onStale(): void {
    this.onBroken();
  }
}
