// The topology of the cluster, as this gateway knows it: the gateway of each shard, and the gateways that own no shard.
//
// It begins with the addresses of the configuration. In a replicated cluster another gateway may take a shard over. Then the addresses of the
// member change in place, so whoever holds a member uses the new ones from then on. Each take-over has a greater incarnation of the shard
// than the one before, whichever gateway makes it. So the sum of the incarnations is a version that grows without coordination: of two
// topologies, the one with the greater version knows more take-overs.
import type { TopologyDescription } from '@claret/client';
import type { ClusterMember } from './cluster.ts';

export interface GatewayAddresses {
  /** host:port */
  grpc: string;
  rest: string;
}

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
}

/** `previous`: the gRPC address before */
export type MovedListener = (member: ClusterMember, previous: string) => void;

export class Topology {
  readonly durability: string;
  readonly clusterName: string;
  readonly replicated: boolean;
  /** by shard */
  readonly members: ClusterMember[];
  /** called for each member whose gRPC address has changed, once the whole state is taken */
  readonly movedListeners = new Set<MovedListener>();
  private readonly incarnations: number[];
  private standbysNow: readonly GatewayAddresses[] = [];

  constructor({ members, durability, clusterName, replicated }: TopologyOptions) {
    this.members = members;
    this.durability = durability;
    this.clusterName = clusterName;
    this.replicated = replicated;
    this.incarnations = members.map(() => 0);
  }

  get version(): number {
    return this.incarnations.reduce((sum, incarnation) => sum + incarnation, 1);
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
      shards: this.members.map(({ grpc, rest, ...slots }) => ({ ...slots, address: grpc, restAddress: rest })),
      standbys: this.standbysNow.map(({ grpc, rest }) => ({ address: grpc, restAddress: rest })),
    };
  }

  /**
   * Takes the newest owners and standbys. An owner is ignored if a later one of its shard is known; shards that are not named keep theirs.
   * REQUIRES: the cluster is replicated.
   */
  take(owners: Iterable<Owner>, standbys: readonly GatewayAddresses[]): void {
    const moved: [ClusterMember, string][] = [];
    for (const { shard, incarnation, grpc, rest } of owners) {
      const member = this.members[shard];
      if (member === undefined || incarnation <= this.incarnations[shard]!) continue;
      this.incarnations[shard] = incarnation;
      if (member.grpc !== grpc) moved.push([member, member.grpc]);
      member.grpc = grpc;
      member.rest = rest;
    }
    this.standbysNow = standbys;
    for (const [member, previous] of moved) for (const listener of this.movedListeners) listener(member, previous);
  }
}
