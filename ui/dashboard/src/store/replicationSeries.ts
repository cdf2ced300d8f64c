// Who owned the shards of a replicated cluster, and who stood by.
import type { Replication } from '@claret/client/telemetry';
import { ToldSeries, type ToldAt } from './toldSeries.ts';

export type ReplicationAt = ToldAt<Replication>;
export type ReplicationSeries = ToldSeries<Replication>;

/** Limit on owners and followed shards in all entries together. */
const KEPT_MAX = 60_000;

export const replicationSeries = (): ReplicationSeries =>
  new ToldSeries({
    keptMax: KEPT_MAX,
    weight: ({ owners, standbys }) => standbys.reduce((sum, { follows }) => sum + 1 + follows.length, 1 + owners.length),
    essence: ({ owners, standbys }) => [
      owners.map(({ address, incarnation, present }) => [address, incarnation, present]),
      standbys.map(({ address }) => address),
    ],
  });
