// The conditions of the whole cluster. They have a version, and the newest version wins:
//
//   set       The gateway asks every other one for its version. If one cannot be reached, nothing is changed. Then it sends the new
//             conditions to all, with a version above all of theirs.
//   start     A gateway asks its peers before it serves, and takes the newest conditions instead of its configured ones.
//   repair    Each gateway asks one peer every REPAIR_MS, in turn, and takes newer conditions. So a gateway that was cut off between
//             the two rounds of a change follows once it can reach another one.
//
// While a change spreads, shards have different conditions. That is safe: each shard locks its records by its own rule (docs/rules.md,
// section 10). Versions are kept in memory: a cluster that starts as a whole has its
// configured conditions, which are version 0.
import { completed, differ, type Conditions } from '@claret/client/telemetry';
import type { ClusterMember } from '../cluster.ts';
import { GatewayError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import type { ShardHost } from './shard-host.ts';

export interface VersionedConditions extends Required<Conditions> {
  /** number of changes * SHARDS_MAX + the shard that made the change, so that no two changes have the same version */
  version: number;
}

export interface ShardConditions {
  shard: number;
  /** null if the shard did not answer */
  conditions: Required<Conditions> | null;
  version: number | null;
  error?: string;
}

/** The subset of `Peers` for conditions. Implemented once, since Peers carries what is defined here. */
export interface PeerConditions {
  /** Throws shard_unavailable. */
  getConditions(member: ClusterMember): Promise<VersionedConditions>;
  /** Changes the conditions of that shard alone. Throws shard_unavailable. */
  setConditions(member: ClusterMember, wanted: VersionedConditions): Promise<VersionedConditions>;
}

type Own = Pick<ShardHost, 'conditions' | 'setConditions'>;

const SHARDS_MAX = 256;
const REPAIR_MS = 1_000;

export class ClusterConditions {
  /** the conditions with which the gateway was started */
  readonly normal: Required<Conditions>;
  /** Called when the conditions of the own shard change after `join`. */
  onChange: (conditions: Conditions) => void = () => {};

  private readonly own: Own;
  private readonly shard: number;
  private readonly members: ClusterMember[];
  private readonly peers: PeerConditions;
  private newest: VersionedConditions;
  private changes: Promise<unknown> = Promise.resolve();
  private repair: NodeJS.Timeout | undefined;
  private next = 0;
  private joined = false;

  constructor(own: Own, shard: number, members: ClusterMember[], peers: PeerConditions) {
    this.own = own;
    this.shard = shard;
    this.members = members;
    this.peers = peers;
    this.normal = completed(own.conditions());
    this.newest = { ...this.normal, version: 0 };
  }

  local(): VersionedConditions {
    return this.newest;
  }

  /**
   * Changes the conditions of the own shard alone, unless it has newer ones. Version 0 has no number of its own: the conditions are set,
   * and the version stays.
   */
  setLocal({ version, ...wanted }: Conditions & { version: number }): VersionedConditions {
    const before = this.newest;
    const conditions = completed(wanted);
    if (version !== 0 && version <= before.version) return this.local();
    this.newest = { ...conditions, version: Math.max(version, before.version) };
    this.own.setConditions(conditions);
    if (this.joined && differ(before, conditions)) this.onChange(conditions);
    return this.local();
  }

  everywhere(): Promise<ShardConditions[]> {
    return this.ask(
      () => this.local(),
      (member) => this.peers.getConditions(member),
    );
  }

  /**
   * What is not named stays as it is.
   * Throws shard_unavailable: nothing was changed; conditions_partial: the change stands, and shards that were not reached will follow.
   * Both errors carry the state of each shard as `shards`.
   */
  setEverywhere(wanted: Conditions): Promise<ShardConditions[]> {
    const change = this.changes.then(() => this.change(completed(wanted, this.newest)));
    this.changes = change.catch(() => {});
    return change;
  }

  /** Takes the cluster's conditions from gateways that can be reached; to be called before the gateway serves. */
  async join(): Promise<void> {
    for (const { conditions, version } of await this.everywhere()) this.take(conditions, version);
    this.joined = true;
    this.repair = setInterval(() => void this.askNext(), REPAIR_MS).unref();
  }

  close(): void {
    clearInterval(this.repair);
  }

  private async change(conditions: Required<Conditions>): Promise<ShardConditions[]> {
    const before = await this.everywhere();
    refuseMissing(before, 'shard_unavailable', (missed) => `Shard ${missed} cannot be reached: nothing was changed.`);
    const newest = Math.max(...before.map((shard) => shard.version!));
    const version = (Math.floor(newest / SHARDS_MAX) + 1) * SHARDS_MAX + this.shard;
    const wanted = { ...conditions, version };
    const after = await this.ask(
      () => this.setLocal(wanted),
      (member) => this.peers.setConditions(member, wanted),
    );
    refuseMissing(
      after,
      'conditions_partial',
      (missed) => `Not confirmed by shard ${missed}, which follows once it can be reached; set on all others.`,
    );
    return after;
  }

  private take(conditions: Conditions | null, version: number | null): void {
    if (conditions !== null && version !== null && version > this.newest.version) this.setLocal({ ...conditions, version });
  }

  private async askNext(): Promise<void> {
    if (this.members.length === 1) return;
    this.next = (this.next + 1) % this.members.length;
    if (this.next === this.shard) this.next = (this.next + 1) % this.members.length;
    try {
      const { version, ...conditions } = await this.peers.getConditions(this.members[this.next]!);
      this.take(conditions, version);
    } catch {
      // It is asked again when its turn comes.
    }
  }

  private ask(own: () => VersionedConditions, peer: (member: ClusterMember) => Promise<VersionedConditions>): Promise<ShardConditions[]> {
    return Promise.all(
      this.members.map(async (member): Promise<ShardConditions> => {
        const { shard } = member;
        try {
          const { version, ...conditions } = shard === this.shard ? own() : await peer(member);
          return { shard, conditions, version };
        } catch (error) {
          return { shard, conditions: null, version: null, error: (error as Error).message };
        }
      }),
    );
  }
}

function refuseMissing(shards: ShardConditions[], code: ErrorCode, message: (missed: string) => string): void {
  const missed = shards.filter((shard) => shard.conditions === null).map((shard) => shard.shard);
  if (missed.length > 0) throw new GatewayError(code, message(missed.join(', ')), { extra: { shards } });
}
