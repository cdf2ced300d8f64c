// Who serves the shards of a replicated cluster, and who waits to take them over. Absent where shards have no other gateway.
import { count, flag, list, number, object, optional, text, type TypeOf } from './schema.ts';

const gateway = { address: text('host:port of its gRPC'), rest_address: text('host:port of its REST') };

const owner = object({
  shard: count(),
  ...gateway,
  incarnation: count('of the shard; greater for each owner than for the one before'),
  since_ms: number('when it took the shard, by its own wall clock'),
  present: flag('it renews its lease, as far as the sender knows'),
});

const followed = object({
  shard: count(),
  ready: flag('it has reached the end of the log, and can take the shard over within moments'),
  behind: optional(
    count(
      'entries of the log that the standby lacks; 0 if they are no more than the owner writes in a second, since what the two say of ' +
        'themselves is up to a second apart; absent if it is not known how far the owner is',
    ),
  ),
});

export const replication = object(
  {
    owners: list(owner, 'in the order of the shards; a shard that never had an owner is missing'),
    standbys: list(object({ ...gateway, follows: list(followed) }), 'gateways that own no shard at present'),
  },
  'of a cluster with a replicated log: the owners of its shards, and its standbys',
);
export type Replication = TypeOf<typeof replication>;
export type ShardOwner = Replication['owners'][number];
export type ShardStandby = Replication['standbys'][number];
