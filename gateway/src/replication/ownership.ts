// Ownership: a gateway owns a shard for as long as it renews the shard's entry in time.
//
// The lease counts from the moment when a *confirmed* renewal was sent, on this machine's steady clock, and is used only in part
// (LEASE_USED). Another gateway takes the shard when it has seen the entry unchanged for longer than the lease (WAITED, succession.ts), on
// its own steady clock. It saw the entry after the owner had sent it, so the owner's lease is over by then, if the two clocks run at speeds
// that differ by less than a tenth. Wall clocks play no part.
//
// The lease bounds what an owner may still *answer*; nothing that a former owner writes becomes durable, lease or not (log/jetstream/fence.ts).
//
// While an owner cannot log, its wall clock alone is above the timestamps that it gives (docs/decisions/0020-clocks.md). So it says at each
// renewal what that shows, and its successor begins above what it can have shown by the end of the lease (`wallMsLeast`).
//
// Without an answer of the servers the lease ends, and nobody else can take the shard either. Once they answer again and the entry is still
// this gateway's, it goes on.
import type { Environment, Timer } from '@claret/client';
import { askAgain } from '../log/jetstream/asking.ts';
import type { Entries, Entry } from './entries.ts';
import { decodeOwner, encodeOwner, ownerKey } from './owner.ts';
import type { Candidate, Owner } from './owner.ts';

/** the share of the lease in which the owner answers */
export const LEASE_USED = 0.9;
/** the multiple of the lease after which an unchanged entry may be replaced */
export const WAITED = 1.1;
const RENEWALS_PER_LEASE = 3;
/** the share of the lease after which it tries again while the servers do not answer */
const AGAIN = 0.05;

export interface OwnershipOptions {
  entries: Entries;
  environment: Environment;
  leaseMs: number;
}

interface Taken {
  shard: number;
  before: Owner | undefined;
  owner: Owner;
  revision: number;
  /** when the taking was sent */
  sentAtMs: number;
}

export class Ownership {
  readonly shard: number;
  /** No owner before has given a timestamp above this wall time that the log does not cover. */
  readonly wallMsLeast: number;
  readonly #options: OwnershipOptions;
  #owner: Owner;
  #revision: number;
  #untilMs: number;
  #timer: Timer | undefined;
  #isOver = false;
  #renewing: Promise<void> = Promise.resolve();
  /** The lease was extended. */
  onRenewed: () => void = () => {};
  #onLost: (owner: Owner) => void = () => {};
  #lostTo: Owner | undefined;

  private constructor(options: OwnershipOptions, { shard, before, owner, revision, sentAtMs }: Taken) {
    this.#options = options;
    this.shard = shard;
    this.wallMsLeast = before === undefined ? 0 : before.wallMs + options.leaseMs;
    this.#owner = owner;
    this.#revision = revision;
    this.#untilMs = sentAtMs + LEASE_USED * options.leaseMs;
    this.#renewAt(sentAtMs + options.leaseMs / RENEWALS_PER_LEASE);
  }

  /**
   * Takes the shard from the owner in `seen` (undefined: there was none), whose lease must be over. Undefined: another gateway was faster, or
   * the servers do not answer.
   */
  static async take(
    options: OwnershipOptions,
    shard: number,
    candidate: Candidate,
    seen: Entry | undefined,
  ): Promise<Ownership | undefined> {
    const { entries, environment } = options;
    const before = seen && decodeOwner(shard, seen);
    const sinceMs = Math.ceil(environment.wallMs());
    const owner: Owner = {
      ...candidate,
      // At least the wall clock's seconds, as the local log's incarnations are: whatever had the shard before its first entry comes earlier.
      incarnation: Math.max((before?.incarnation ?? 0) + 1, Math.floor(sinceMs / 1000)),
      sinceMs,
      renewals: 0,
      wallMs: sinceMs,
      isReleased: false,
      log: before?.log ?? '',
      before: before === undefined ? null : { grpc: before.grpc, rest: before.rest },
    };
    const sentAtMs = environment.monotonicMs();
    const revision = await entries.replace(ownerKey(shard), encodeOwner(owner), seen?.revision ?? 0).catch(() => undefined);
    return revision === undefined ? undefined : new Ownership(options, { shard, before, owner, revision, sentAtMs });
  }

  /** Another gateway has the shard. Called once, and at once if that is so already: a start takes time, and begins to listen at its end. */
  set onLost(listener: (owner: Owner) => void) {
    this.#onLost = listener;
    if (this.#lostTo !== undefined) listener(this.#lostTo);
  }

  /** Whether this gateway still has the shard, as far as the servers answer. */
  async isHeld(): Promise<boolean> {
    if (this.#lostTo === undefined) await (this.#renewing = this.#renewing.then(() => this.#look()).catch(() => {}));
    return this.#lostTo === undefined;
  }

  get owner(): Readonly<Owner> {
    return this.#owner;
  }

  /** Until when this gateway may answer, on its steady clock. */
  get untilMs(): number {
    return this.#untilMs;
  }

  /** The shard's log was opened: whoever takes the shard must find the same one. Resolves when the entry says so, or the shard is lost. */
  async setLog(id: string): Promise<void> {
    while (this.#owner.log !== id && !this.#isOver) {
      this.#owner = { ...this.#owner, log: id };
      await this.#renewNow();
    }
  }

  /** Gives the shard up; others may take it at once. Never fails: without an answer of the servers they wait until the lease is over. */
  async release(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#untilMs = -Infinity;
    const { entries, environment } = this.#options;
    environment.clearTimeout(this.#timer);
    await this.#renewing;
    await entries.replace(ownerKey(this.shard), encodeOwner({ ...this.#owner, isReleased: true }), this.#revision).catch(() => {});
  }

  #renewAt(atMs: number): void {
    const { environment } = this.#options;
    environment.clearTimeout(this.#timer);
    this.#timer = environment.setTimeout(() => void this.#renewNow(), Math.max(0, atMs - environment.monotonicMs()));
  }

  /** One after the other. */
  #renewNow(): Promise<void> {
    this.#renewing = this.#renewing.then(() => this.#renew());
    return this.#renewing;
  }

  async #renew(): Promise<void> {
    if (this.#isOver) return;
    const { entries, environment, leaseMs } = this.#options;
    const renewed = { ...this.#owner, renewals: this.#owner.renewals + 1, wallMs: Math.ceil(environment.wallMs()) };
    const after = this.#revision;
    // It is sent again while there is no answer, and stored once.
    const renew = async () => {
      const sentAtMs = environment.monotonicMs();
      return { sentAtMs, revision: await entries.replace(ownerKey(this.shard), encodeOwner(renewed), after) };
    };
    let nextAtMs = environment.monotonicMs();
    try {
      const { sentAtMs, revision } = await askAgain(environment, renew);
      if (revision === undefined) await this.#look();
      else this.#renewed(renewed, revision, sentAtMs + LEASE_USED * leaseMs);
      if (revision !== undefined) nextAtMs = sentAtMs + leaseMs / RENEWALS_PER_LEASE;
    } catch {
      await this.#look().catch(() => (nextAtMs = environment.monotonicMs() + AGAIN * leaseMs));
    }
    if (!this.#isOver) this.#renewAt(nextAtMs);
  }

  #renewed(owner: Owner, revision: number, untilMs: number): void {
    this.#owner = owner;
    this.#revision = revision;
    if (this.#isOver) return;
    this.#untilMs = untilMs;
    this.onRenewed();
  }

  /**
   * A renewal was refused or got no answer. If the entry is this gateway's, one of its renewals was stored, and the next one goes by that
   * revision. The lease is not extended: only a confirmation says when it was sent.
   */
  async #look(): Promise<void> {
    const { entries, environment } = this.#options;
    const entry = await askAgain(environment, () => entries.get(ownerKey(this.shard)));
    const found = entry && decodeOwner(this.shard, entry);
    if (found?.gateway === this.#owner.gateway && found.incarnation === this.#owner.incarnation) {
      this.#revision = entry!.revision;
      this.#owner = { ...this.#owner, renewals: found.renewals };
      return;
    }
    // A leader that was cut off may answer from the past, with an owner before this one, or none.
    if (found === undefined || found.incarnation < this.#owner.incarnation || this.#isOver) return;
    this.#isOver = true;
    this.#untilMs = -Infinity;
    this.#options.environment.clearTimeout(this.#timer);
    this.#lostTo = found;
    this.#onLost(found);
  }
}
