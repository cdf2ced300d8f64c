// Directory: which gateways own the shards of a cluster, and which are standbys, as the entries say. A standby that has said nothing for some
// time, on this machine's steady clock, is left out.
import type { Environment } from '@claret/client';
import type { Entry } from './entries.ts';
import { decodeOwner } from './owner.ts';
import type { Owner } from './owner.ts';
import { decodeStandby, isStandbyKey } from './standbys.ts';
import type { Standby } from './standbys.ts';

const SILENT_MS = 3_500;
/** the multiple of the lease after which an owner that renews nothing is none at present */
const LEASES = 2;
const LOOK_MS = 500;
/** addresses that are remembered */
const REMEMBERED_MAX = 1_000;
const OWNER_KEY = /^shard\.(\d+)$/;

export interface OwnedShard extends Owner {
  shard: number;
}

export interface DirectoryOptions {
  environment: Environment;
  leaseMs: number;
  /** An entry holds something else than it should. */
  onTrouble(why: Error): void;
}

export class Directory {
  readonly #options: DirectoryOptions;
  readonly #owners = new Map<number, { owner: OwnedShard; heardMs: number }>();
  readonly #standbys = new Map<string, { standby: Standby; heardMs: number }>();
  readonly #restAddresses = new Set<string>();
  #isClosed = false;
  /** The owners or the standbys have changed, or what these say. */
  onChange: () => void = () => {};

  constructor(options: DirectoryOptions) {
    this.#options = options;
    this.#lookLater();
  }

  /** The newest owner of each shard that has, or had, one; in order. */
  get owners(): OwnedShard[] {
    return [...this.#owners.values()].map(({ owner }) => owner).sort((one, other) => one.shard - other.shard);
  }

  /** Those of them that own their shard at present, as far as is known here. */
  get presentOwners(): OwnedShard[] {
    const { environment, leaseMs } = this.#options;
    const latest = environment.monotonicMs() - LEASES * leaseMs;
    return this.owners.filter(({ shard, isReleased }) => !isReleased && this.#owners.get(shard)!.heardMs >= latest);
  }

  /** A gateway that has taken a shard is none, whatever it said before. */
  get standbys(): Standby[] {
    const owning = new Set(this.presentOwners.map(({ gateway }) => gateway));
    return [...this.#standbys.values()]
      .map(({ standby }) => standby)
      .filter(({ gateway }) => !owning.has(gateway))
      .sort((one, other) => (one.grpc < other.grpc ? -1 : 1));
  }

  /** Of all gateways that an entry has named since this one started, also of those that are gone. */
  get restAddresses(): ReadonlySet<string> {
    return this.#restAddresses;
  }

  /** An entry was read; undefined: it was removed. */
  take(key: string, entry: Entry | undefined): void {
    const shard = OWNER_KEY.exec(key)?.[1];
    if (shard !== undefined && entry !== undefined) this.#takeOwner(Number(shard), entry);
    if (isStandbyKey(key)) this.#takeStandby(key, entry);
  }

  #takeOwner(shard: number, entry: Entry): void {
    let owner: Owner;
    try {
      owner = decodeOwner(shard, entry);
    } catch (error) {
      return this.#options.onTrouble(error as Error);
    }
    this.#remember(owner.rest);
    if (owner.before !== null) this.#remember(owner.before.rest);
    const known = this.#owners.get(shard)?.owner;
    this.#owners.set(shard, { owner: { shard, ...owner }, heardMs: this.#options.environment.monotonicMs() });
    if (known?.incarnation !== owner.incarnation || known.isReleased !== owner.isReleased) this.onChange();
  }

  #takeStandby(key: string, entry: Entry | undefined): void {
    const standby = entry && decodeStandby(entry);
    if (standby !== undefined) this.#remember(standby.rest);
    if (standby === undefined) this.#standbys.delete(key);
    else this.#standbys.set(key, { standby, heardMs: this.#options.environment.monotonicMs() });
    this.onChange();
  }

  #remember(rest: string): void {
    if (this.#restAddresses.size < REMEMBERED_MAX) this.#restAddresses.add(rest);
  }

  #lookLater(): void {
    const { environment } = this.#options;
    environment.setTimeout(() => {
      if (this.#isClosed) return;
      this.#lookLater();
      const latest = environment.monotonicMs() - SILENT_MS;
      const silent = [...this.#standbys].filter(([, { heardMs }]) => heardMs < latest);
      for (const [key] of silent) this.#standbys.delete(key);
      if (silent.length > 0) this.onChange();
    }, LOOK_MS);
  }

  close(): void {
    this.#isClosed = true;
  }
}
