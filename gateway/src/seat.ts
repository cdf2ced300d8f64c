// The seat of a gateway that has taken its shard and may lose it: what follows from the lease, and what viewers see of it.
import type { FastifyBaseLogger } from 'fastify';
import { parseCluster } from './cluster.ts';
import type { Config } from './config.ts';
import { Overview } from './replication/overview.ts';
import type { Seat } from './replication/standby-gateway.ts';
import type { DurableShard } from './store/durable-shard.ts';
import { shardEnvironment } from './store/environment.ts';

export function overviewOf(seat: Seat, { cluster, shard }: Config, durableShard: DurableShard | null): Overview {
  return new Overview({
    seat,
    configured: parseCluster(cluster).map(({ rest }) => rest),
    // The other gateways report how far their logs are durable once a second (store/agreement.ts).
    position: (other) => (other === shard ? durableShard?.point() : durableShard?.logs.of(other))?.position,
    environment: shardEnvironment,
  });
}

/** Serves within the lease alone, and ends when the shard has another owner. */
export function hold({ ownership }: Seat, { host, id }: DurableShard, onLost: (message: string) => void, logger: FastifyBaseLogger): void {
  ownership.onRenewed = () => host.leaseRenewed();
  ownership.onLost = ({ grpc }) => {
    const message = `owner_lost: the gateway at ${grpc} owns shard ${ownership.shard} now: this one was frozen, or cut off, for longer than its lease`;
    logger.fatal(message);
    onLost(message);
  };
  void ownership.setLog(id);
}
