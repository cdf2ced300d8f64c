// The shards at one instant: who owns each, and how many slots it has.
import type { ShardOwner } from '@claret/client/telemetry';
import type { ReplicationAt, SlotsAt } from '../../store/telemetryStore.ts';

export interface ShardRow {
  shard: number;
  address: string;
  rest_address: string;
  /** null: not known, as in a recording of an older version */
  slots: number | null;
  /** null: the cluster is not replicated */
  owner: ShardOwner | null;
}

/** In order. A shard that nobody owns yet has no row. */
export function shardRows(replication: ReplicationAt | null, slots: SlotsAt | null): ShardRow[] {
  const owned = new Map(slots?.shards.map((shard) => [shard.shard, shard]));
  if (replication === null) return [...owned.values()].map((shard) => ({ ...shard, owner: null }));
  return replication.owners.map((owner) => {
    const { shard, address, rest_address } = owner;
    return { shard, address, rest_address, slots: owned.get(shard)?.slots ?? null, owner };
  });
}
