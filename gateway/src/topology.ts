// The topology of the cluster, as this gateway knows it: the gateway of each shard, its slots, and the gateways that own no shard.
//
// It begins with the configuration. Four things change while the cluster runs:
//
//   owners   In a replicated cluster another gateway may take a shard over, with a greater incarnation than the one before.
//   slots    Runs of slots move to other shards; a shard says which slots it owns, in which versions (slot-owners.ts).
//   shards   A further shard joins. It owns no slots at first.
//   doors    A gateway says where its Redis door is, and whether it has one.
//
// Members change in place, so whoever holds a member uses the new state from then on. Incarnations and the versions of slots grow with each
// change, whichever gateway makes it. So their sum is a version that grows without coordination: of two topologies, the one with the greater
// version knows more changes.
import type { SlotRun, TopologyDescription } from '@claret/client';
import type { SlotOwner } from '@claret/client/telemetry';
import type { ClusterMember, GatewayAddresses } from './cluster.ts';
import { SlotOwners } from './slot-owners.ts';

/** The gateway that owns a shard. */
export interface Owner extends GatewayAddresses {
  shard: number;
  /** grows with each change of the owner */
  incarnation: number;
}

export interface TopologyOptions {
  /** as configured */
  members: ClusterMember[];
  /** none | async | sync */
  durability: string;
  clusterName: string;
  /** the owners may change */
  replicated: boolean;
  /** the number of shards among which the slots were dealt at first: all members by default */
  dealt?: number;
}

/** `previous`: the gRPC address before */
export type MovedListener = (member: ClusterMember, previous: string) => void;

export const countSlots = (runs: readonly SlotRun[]): number => runs.reduce((sum, { first, last }) => sum + last - first + 1, 0);

export class Topology {
  readonly durability: string;
  readonly clusterName: string;
  readonly replicated: boolean;
  readonly dealt: number;
  /** by shard */
  readonly members: ClusterMember[];
  /** called for each member whose gRPC address has changed, once the whole state is taken */
  readonly movedListeners = new Set<MovedListener>();
  /** called after each change, several times for some */
  readonly changedListeners = new Set<() => void>();
  /** called for each shard that has joined */
  readonly joinedListeners = new Set<(member: ClusterMember) => void>();
  private readonly incarnations: number[];
  private readonly slotOwners = new SlotOwners();
  private standbysNow: readonly GatewayAddresses[] = [];

  constructor({ members, durability, clusterName, replicated, dealt = members.length }: TopologyOptions) {
    this.members = members;
    this.dealt = dealt;
    this.durability = durability;
    this.clusterName = clusterName;
    this.replicated = replicated;
    this.incarnations = members.map(() => 0);
    for (const { shard, slots } of members) this.slotOwners.claim(shard, slots);
  }

  get version(): number {
    return this.incarnations.reduce((sum, incarnation) => sum + incarnation, 1 + this.slotOwners.moves);
  }

  get standbys(): readonly GatewayAddresses[] {
    return this.standbysNow;
  }

  /** gRPC addresses of the owners, in shard order */
  get addresses(): string[] {
    return this.members.map(({ grpc }) => grpc);
  }

  /** As clients receive it. */
  describe(): TopologyDescription {
    const { version, durability, replicated } = this;
    return {
      version,
      durability,
      replicated,
      shards: this.members.map(({ shard, grpc, rest, slots }) => ({ shard, slots, address: grpc, restAddress: rest })),
      standbys: this.standbysNow.map(({ grpc, rest }) => ({ address: grpc, restAddress: rest })),
    };
  }

  /** As viewers receive it, in order. */
  slotCounts(): SlotOwner[] {
    return this.members.map(({ shard, grpc, rest, slots }) => ({ shard, address: grpc, rest_address: rest, slots: countSlots(slots) }));
  }

  /**
   * Takes the newest owners and standbys. An owner is ignored if a later one of its shard is known; shards that are not named keep theirs.
   * One with the next number joins. REQUIRES: the cluster is replicated.
   */
  take(owners: Iterable<Owner>, standbys: readonly GatewayAddresses[]): void {
    const moved: [ClusterMember, string][] = [];
    let isNew = false;
    for (const { shard, incarnation, grpc, rest, resp } of owners) {
      if (shard === this.members.length) this.join(shard, { grpc, rest, resp });
      const member = this.members[shard];
      if (member === undefined || incarnation <= this.incarnations[shard]!) continue;
      this.incarnations[shard] = incarnation;
      if (member.grpc !== grpc) moved.push([member, member.grpc]);
      Object.assign(member, { grpc, rest, resp });
      isNew = true;
    }
    this.standbysNow = standbys;
    for (const [member, previous] of moved) for (const listener of this.movedListeners) listener(member, previous);
    if (isNew) this.changed();
  }

  /** A shard says which slots it owns. False if this was known. */
  takeSlots(shard: number, runs: readonly SlotRun[]): boolean {
    if (!this.slotOwners.claim(shard, runs)) return false;
    for (const member of this.members) member.slots = this.slotOwners.runsOf(member.shard);
    this.changed();
    return true;
  }

  /** Whether some shard has said that it owns these slots in that version, or in a later one. */
  haveMoved(first: number, last: number, version: number): boolean {
    return this.slotOwners.haveReached(first, last, version);
  }

  /** A further shard. False if it is known, or if shards before it are not: it has to say so again. */
  join(shard: number, { grpc, rest, resp }: GatewayAddresses): boolean {
    if (shard !== this.members.length) return false;
    const member: ClusterMember = { shard, grpc, rest, resp, slots: [] };
    this.members.push(member);
    this.incarnations.push(0);
    for (const listener of this.joinedListeners) listener(member);
    this.changed();
    return true;
  }

  /** The gateway of a shard says where its Redis door is; undefined: it has none. In a replicated cluster, its entry as the owner says it. */
  takeDoor(shard: number, resp: string | undefined): void {
    const member = this.members[shard];
    if (this.replicated || member === undefined || member.resp === resp) return;
    member.resp = resp;
    this.changed();
  }

  private changed(): void {
    for (const listener of this.changedListeners) listener();
  }
}
