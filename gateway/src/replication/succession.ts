// Succession: waits until a shard has no owner, and takes it.
//
// A shard may be taken when its entry has not changed for longer than its owner's lease (ownership.ts), when its owner has given it up, or
// when it never had one. The time counts from the end of the reading that saw the entry first to the begin of the one that sees it last, so
// that it is never counted too long. The gateway that is configured for the shard comes first where nobody waits for the shard yet; a gateway
// that has not followed the shard's log lets those come first that have.
//
// While the servers do not answer, no owner can renew its lease, and its silence says nothing of it. Once they do again, it gets some time
// before its shard is taken (BACK_MS).
import type { Environment } from '@claret/client';
import { askAgain } from '../log/jetstream/asking.ts';
import type { Entry } from './entries.ts';
import { Ownership, WAITED } from './ownership.ts';
import type { OwnershipOptions } from './ownership.ts';
import { decodeOwner, ownerKey } from './owner.ts';
import type { Candidate } from './owner.ts';

export interface SuccessionOptions extends OwnershipOptions {
  shards: number;
  candidate: Candidate;
  /** the shard that the configuration gives to this gateway; undefined: it is a standby for all */
  preferred: number | undefined;
  /** Whether this gateway has followed the shard's log to its end. */
  isReady(shard: number): boolean;
  /** Called with each entry that is read, whether it has changed or not. */
  onSeen?(shard: number, entry: Entry | undefined): void;
  /** An entry cannot be read, or holds something else. */
  onTrouble?(why: Error): void;
}

/** a look at all entries comes so often in a lease */
const LOOKS_PER_LEASE = 20;
const LOOK_MS_MAX = 100;
/** how long others leave a shard that was given up, or never had an owner, to the gateway that is configured for it */
const COURTESY = 0.5;
/** the share of the lease for which a reading may take; if it takes longer, the servers were away */
const AWAY = 0.5;
/** for how long an owner may renew its lease once they are back; twice the time after which it tries again */
const BACK_MS = 500;
/** the multiple of the lease for which a gateway that has not followed the log lets others come first */
const UNREADY = 2;

interface Seen {
  revision: number;
  /** the end of the first reading */
  sinceMs: number;
  /** the begin of the last reading before, which found another revision; undefined: there was none */
  changedAfterMs: number | undefined;
  /** the begin of the last reading */
  readMs: number;
  /** the last reading has failed */
  isAway: boolean;
  /** the end of the first reading since the servers are back; undefined: they were not away */
  backAtMs: number | undefined;
  isReleased: boolean;
}

export class Succession {
  readonly #options: SuccessionOptions;
  readonly #environment: Environment;
  readonly #seen = new Map<number, Seen>();
  #isStopped = false;

  constructor(options: SuccessionOptions) {
    this.#options = options;
    this.#environment = options.environment;
  }

  /** Resolves when this gateway owns a shard; undefined: it was stopped. */
  async next(): Promise<Ownership | undefined> {
    const { leaseMs } = this.#options;
    while (!this.#isStopped) {
      for (const shard of this.#inOrder()) {
        const taken = await this.#try(shard);
        if (taken !== undefined && this.#isStopped) await taken.release();
        else if (taken !== undefined) return taken;
      }
      await this.#pause(Math.min(LOOK_MS_MAX, leaseMs / LOOKS_PER_LEASE));
    }
    return undefined;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /**
   * The owner that was seen last has renewed its lease after this time, on the steady clock, so the shard was not silent before. Undefined:
   * it gave the shard up, or was not seen to renew.
   */
  aliveAfterMs(shard: number): number | undefined {
    const seen = this.#seen.get(shard);
    return seen === undefined || seen.isReleased ? undefined : seen.changedAfterMs;
  }

  #inOrder(): number[] {
    const { shards, preferred } = this.#options;
    const all = Array.from({ length: shards }, (_, shard) => shard);
    return preferred === undefined ? all : [preferred, ...all.filter((shard) => shard !== preferred)];
  }

  async #try(shard: number): Promise<Ownership | undefined> {
    const { entries, candidate, onSeen, onTrouble } = this.#options;
    try {
      const beganAtMs = this.#environment.monotonicMs();
      const entry = await askAgain(this.#environment, () => entries.get(ownerKey(shard))).catch((error: Error) => {
        const known = this.#seen.get(shard);
        if (known !== undefined) known.isAway = true;
        throw error;
      });
      onSeen?.(shard, entry);
      const seen = this.#note(shard, entry, beganAtMs);
      if (beganAtMs - seen.sinceMs < this.#waitMs(shard, entry) || this.#mayBeRenewed(seen, beganAtMs)) return undefined;
      return await Ownership.take(this.#options, shard, candidate, entry);
    } catch (error) {
      onTrouble?.(error as Error);
      return undefined;
    }
  }

  #note(shard: number, entry: Entry | undefined, beganAtMs: number): Seen {
    const revision = entry?.revision ?? 0;
    const known = this.#seen.get(shard);
    const nowMs = this.#environment.monotonicMs();
    if (known?.revision === revision) {
      if (known.isAway || nowMs - beganAtMs > AWAY * this.#options.leaseMs) known.backAtMs = nowMs;
      known.isAway = false;
      known.readMs = beganAtMs;
      return known;
    }
    const isReleased = entry !== undefined && decodeOwner(shard, entry).isReleased;
    const changedAfterMs = known?.readMs;
    const seen = { revision, sinceMs: nowMs, changedAfterMs, readMs: beganAtMs, isAway: false, backAtMs: undefined, isReleased };
    this.#seen.set(shard, seen);
    return seen;
  }

  #mayBeRenewed({ backAtMs, revision, isReleased }: Seen, nowMs: number): boolean {
    return backAtMs !== undefined && revision !== 0 && !isReleased && nowMs - backAtMs < BACK_MS;
  }

  #waitMs(shard: number, entry: Entry | undefined): number {
    const { leaseMs, preferred, isReady } = this.#options;
    const courtesyMs = shard === preferred ? 0 : COURTESY * leaseMs;
    if (entry === undefined) return courtesyMs;
    const { isReleased, log } = decodeOwner(shard, entry);
    const isUnready = log !== '' && !isReady(shard);
    return (isReleased ? courtesyMs : WAITED * leaseMs) + (isUnready ? UNREADY * leaseMs : 0);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.#environment.setTimeout(resolve, ms));
  }
}
