// The conditions of the whole cluster: the own shard's at once, the other gateways' by gRPC. There is no coordination
// beyond that: who sets them is told which shards were reached, and asks again for the rest.
import type { Conditions } from '@claret/core';
import type { ClusterMember } from '../cluster.ts';
import { GatewayError } from '../errors.ts';
import type { Peers } from '../grpc/peers.ts';

export interface ShardConditions {
  shard: number;
  /** null when the shard did not answer */
  conditions: Conditions | null;
  error?: string;
}

interface Own {
  conditions(): Conditions;
  setConditions(conditions: Conditions): void;
}

export class ClusterConditions {
  private readonly own: Own;
  private readonly shard: number;
  private readonly members: ClusterMember[];
  private readonly peers: Peers;

  constructor(own: Own, shard: number, members: ClusterMember[], peers: Peers) {
    this.own = own;
    this.shard = shard;
    this.members = members;
    this.peers = peers;
  }

  local(): Conditions {
    return this.own.conditions();
  }

  setLocal(conditions: Conditions): void {
    this.own.setConditions(conditions);
  }

  everywhere(): Promise<ShardConditions[]> {
    return this.ask((member) => this.peers.getConditions(member));
  }

  /** Throws conditions_partial, with the state of each shard as `shards`. */
  async setEverywhere(conditions: Conditions): Promise<ShardConditions[]> {
    this.setLocal(conditions);
    const shards = await this.ask((member) => this.peers.setConditions(member, conditions));
    const missed = shards.filter((shard) => shard.conditions === null).map((shard) => shard.shard);
    if (missed.length === 0) return shards;
    const message = `Not set on shard ${missed.join(', ')}; set on all others.`;
    throw new GatewayError('conditions_partial', message, { extra: { shards } });
  }

  private ask(peer: (member: ClusterMember) => Promise<Conditions>): Promise<ShardConditions[]> {
    return Promise.all(
      this.members.map(async (member): Promise<ShardConditions> => {
        const { shard } = member;
        if (shard === this.shard) return { shard, conditions: this.local() };
        try {
          const { locks, phasing, combining } = await peer(member);
          return { shard, conditions: { locks, phasing, combining } };
        } catch (error) {
          return { shard, conditions: null, error: (error as Error).message };
        }
      }),
    );
  }
}
