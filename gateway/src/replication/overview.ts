// Overview: who owns the shards, and how far the standbys have followed them, as a gateway that owns one tells its viewers.
//
// An owner and a standby say how far they are once a second each, at moments of their own. So a standby may seem to lack what the owner has
// written in a second, although it lacks nothing: it counts as up to date then.
import type { Environment } from '@claret/client';
import type { Change, Replication, ShardOwner, ShardStandby } from '@claret/client/telemetry';
import type { OwnershipSource } from '../metrics/ownership.ts';
import type { OwnedShard } from './directory.ts';
import { isTakeOver } from './owner.ts';
import type { Seat } from './standby-gateway.ts';
import type { Standby } from './standbys.ts';

const SECOND_MS = 1_000;
/** the busiest of the last five seconds counts */
const SAMPLES = 6;

export interface OverviewOptions {
  seat: Pick<Seat, 'ownership' | 'directory' | 'aliveAfterMs'>;
  /** REST addresses of the configuration */
  configured: readonly string[];
  /** the last durable entry of that shard's log, as its owner said last; undefined: it has said nothing yet */
  position(shard: number): number | undefined;
  environment: Environment;
}

interface Sample {
  atMs: number;
  position: number;
}

export class Overview {
  readonly #options: OverviewOptions;
  /** by shard, oldest first, at least a second apart */
  readonly #samples = new Map<number, Sample[]>();
  readonly #takeOvers = new Map<number, number>();

  constructor(options: OverviewOptions) {
    this.#options = options;
    const { shard, owner } = options.seat.ownership;
    for (const each of options.configured.keys()) this.#takeOvers.set(each, 0);
    if (isTakeOver(owner)) this.noteTakeOver(shard);
  }

  /** The newest owner of each shard that has, or had, one; in order. */
  get owners(): OwnedShard[] {
    const { ownership, directory } = this.#options.seat;
    const { shard, owner } = ownership;
    const others = directory.owners.filter((other) => other.shard !== shard);
    return [...others, { shard, ...owner }].sort((one, other) => one.shard - other.shard);
  }

  get standbys(): Standby[] {
    return this.#options.seat.directory.standbys;
  }

  /** REST addresses of the gateways that serve at present. */
  readonly serving = (): string[] => [...this.owners, ...this.standbys].map(({ rest }) => rest);

  /** REST addresses of all gateways that have served, or may have, as far as this one knows. */
  readonly known = (): string[] => {
    const { configured, seat } = this.#options;
    return [seat.ownership.owner.rest, ...configured, ...seat.directory.restAddresses];
  };

  /** Whether that owner has the shard from a gateway at another address. */
  isTakeOver(shard: number, incarnation: number): boolean {
    return this.owners.some((owner) => owner.shard === shard && owner.incarnation === incarnation && isTakeOver(owner));
  }

  /** Another gateway than before owns that shard. */
  noteTakeOver(shard: number): void {
    this.#takeOvers.set(shard, (this.#takeOvers.get(shard) ?? 0) + 1);
  }

  /** For /metrics. */
  ownership(): OwnershipSource {
    const { seat, position, environment } = this.#options;
    const { shard, owner, untilMs } = seat.ownership;
    const leaseMs = untilMs - environment.monotonicMs();
    return { shard, incarnation: owner.incarnation, leaseMs, position: position(shard) ?? 0, takeOvers: this.#takeOvers };
  }

  /** What this gateway did to get its shard, for the time axis. REQUIRES: it serves the shard. Undefined: it had it before. */
  ownTakeOver(): Change | undefined {
    const { seat, environment } = this.#options;
    const { shard, owner } = seat.ownership;
    if (owner.before === null || !isTakeOver(owner)) return undefined;
    const change = { shard_taken_over: shard, by: owner.rest, from: owner.before.rest };
    return seat.aliveAfterMs === undefined ? change : { ...change, unanswered_ms: environment.monotonicMs() - seat.aliveAfterMs };
  }

  /** As viewers receive it. Called about once a second, or more often. */
  describe(): Replication {
    this.#sample();
    const present = this.#present();
    return {
      owners: this.owners.map(({ shard, grpc, rest, incarnation, sinceMs }): ShardOwner => ({
        shard,
        address: grpc,
        rest_address: rest,
        incarnation,
        since_ms: sinceMs,
        present: present.has(shard),
      })),
      standbys: this.standbys.map(({ grpc, rest, follows }): ShardStandby => ({
        address: grpc,
        rest_address: rest,
        follows: follows.map(({ shard, position, isReady }) => ({ shard, ready: isReady, behind: this.#behind(shard, position) })),
      })),
    };
  }

  /** The shards whose owners renew their leases, as far as is known here. */
  #present(): Set<number> {
    const { seat, environment } = this.#options;
    const { shard, untilMs } = seat.ownership;
    const present = new Set(seat.directory.presentOwners.map((owner) => owner.shard));
    if (environment.monotonicMs() < untilMs) present.add(shard);
    else present.delete(shard);
    return present;
  }

  #behind(shard: number, position: number): number | undefined {
    const owners = this.#options.position(shard);
    const perSecond = this.#perSecond(shard);
    if (owners === undefined || perSecond === undefined) return undefined;
    const behind = owners - position;
    return behind <= perSecond ? 0 : behind;
  }

  /** Entries that the owner wrote in the busiest of the last seconds. */
  #perSecond(shard: number): number | undefined {
    const samples = this.#samples.get(shard) ?? [];
    const rates = samples.slice(1).map(({ atMs, position }, before) => {
      const { atMs: sinceMs, position: from } = samples[before]!;
      return ((position - from) * SECOND_MS) / (atMs - sinceMs);
    });
    return rates.length === 0 ? undefined : Math.max(0, ...rates);
  }

  #sample(): void {
    const { position, environment } = this.#options;
    const atMs = environment.monotonicMs();
    for (const { shard } of this.owners) {
      const now = position(shard);
      const samples = this.#samples.get(shard) ?? [];
      if (now === undefined || atMs - (samples.at(-1)?.atMs ?? -Infinity) < SECOND_MS) continue;
      this.#samples.set(shard, [...samples, { atMs, position: now }].slice(-SAMPLES));
    }
  }
}
