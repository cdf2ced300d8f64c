// The entrances of a gateway: its gRPC server, its REST API and its Redis door, and its way to the other gateways. A gateway that has no shard yet makes them
// while it waits: what is made after a take-over keeps clients waiting, and keeps the new owner from renewing its lease.
import { catalogue as coreCatalogue } from '@claret/core';
import type { Config } from './config.ts';
import { Peers } from './grpc/peers.ts';
import { GrpcServer } from './grpc/server.ts';
import { standbyHandlers } from './grpc/standby.ts';
import { LateServices } from './late-services.ts';
import { Door } from './resp/door.ts';
import type { RestListener } from './rest/listener.ts';
import type { RestServer } from './rest/rest-server.ts';
import { buildRest } from './rest/server.ts';
import type { Tokens } from './token.ts';
import type { Topology } from './topology.ts';
import { Catalogue } from './transaction/catalogue.ts';

export interface Entrances {
  /** tells the topology, until the gateway serves its shard */
  grpc: GrpcServer;
  /** gets no requests before its services have come */
  rest: RestServer;
  services: LateServices;
  /** lets nobody in before it leads to a shard; undefined: the gateway is to have none */
  door: Door | undefined;
  /** may be connected already */
  peers: Peers;
}

export async function makeEntrances(config: Config, listener: RestListener, topology: Topology): Promise<Entrances> {
  const services = new LateServices({ catalogue: new Catalogue(coreCatalogue()), idempotencyMs: config.idempotencyMs });
  const rest = await buildRest(config, services.services, listener);
  const grpc = new GrpcServer(config, listener.log, standbyHandlers(topology));
  return { rest, services, peers: peersOf(config, topology), grpc, door: Door.of(config, listener.log) };
}

export function peersOf(tokens: Tokens, topology: Topology): Peers {
  const peers = new Peers(tokens);
  topology.movedListeners.add((_member, previous) => peers.forget(previous));
  return peers;
}

/** Connects to the gateways of these shards, which a gateway that takes another one greets before it serves. */
export function approach(peers: Peers, topology: Topology, shards: Iterable<number>): void {
  for (const shard of shards) {
    const member = topology.members[shard];
    if (member !== undefined) peers.getClock(member).catch(() => {}); // one that is away is left alone
  }
}
