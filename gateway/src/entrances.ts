// The entrances of a gateway: its gRPC server and its REST API. A gateway that has no shard yet makes them while it waits: what is made after a
// take-over keeps clients waiting, and keeps the new owner from renewing its lease.
import { catalogue as coreCatalogue } from '@claret/core';
import type { Config } from './config.ts';
import { GrpcServer } from './grpc/server.ts';
import { standbyHandlers } from './grpc/standby.ts';
import { LateServices } from './late-services.ts';
import type { RestListener } from './rest/listener.ts';
import type { RestServer } from './rest/rest-server.ts';
import { buildRest } from './rest/server.ts';
import type { Topology } from './topology.ts';
import { Catalogue } from './transaction/catalogue.ts';

export interface Entrances {
  /** tells the topology, until the gateway serves its shard */
  grpc: GrpcServer;
  /** gets no requests before its services have come */
  rest: RestServer;
  services: LateServices;
}

export async function makeEntrances(config: Config, listener: RestListener, topology: Topology): Promise<Entrances> {
  const services = new LateServices({ catalogue: new Catalogue(coreCatalogue()), idempotencyMs: config.idempotencyMs });
  const rest = await buildRest(config, services.services, listener);
  return { rest, services, grpc: new GrpcServer(config, listener.log, standbyHandlers(topology)) };
}
