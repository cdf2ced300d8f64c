// The Redis door of a gateway: a server for Redis clients, links to the doors of the other gateways, and what the core has to know of these. The
// core parses and runs the commands; the gateway passes bytes.
import type { FastifyBaseLogger } from 'fastify';
import { ownAddresses } from '../config.ts';
import type { Config } from '../config.ts';
import { connectionsOf } from '../descriptors.ts';
import type { ShardHost } from '../store/shard-host.ts';
import type { Topology } from '../topology.ts';
import { DoorLinks } from './links.ts';
import { tellNodes } from './nodes.ts';
import { RespServer } from './server.ts';

export class Door {
  private readonly config: Config;
  private readonly connectionsMax: number;
  private readonly server: RespServer;
  private host: ShardHost | undefined;
  /** Undoes `leadTo`. */
  private leadNowhere: () => void = () => {};

  private constructor(config: Config, address: string, log: Pick<FastifyBaseLogger, 'warn'>) {
    this.config = config;
    this.connectionsMax = connectionsOf(config);
    this.server = new RespServer({ address, bind: config.bind, connectionsMax: this.connectionsMax }, log);
  }

  /** Undefined: the gateway is to have none. Nothing listens yet. Throws TooFewDescriptors. */
  static of(config: Config, log: Pick<FastifyBaseLogger, 'warn'>): Door | undefined {
    const { resp } = ownAddresses(config);
    return resp === undefined ? undefined : new Door(config, resp, log);
  }

  /** connections that were served, in total */
  get accepted(): number {
    return this.server.accepted;
  }

  /** The door leads to that shard. Nobody is let in yet. REQUIRES: the host is restored. */
  leadTo(host: ShardHost, shard: number, topology: Topology): void {
    const { token, respRedirect } = this.config;
    host.openDoor(token, respRedirect);
    const links = new DoorLinks(host, this.connectionsMax);
    const tellNoMore = tellNodes(topology, shard, host, links);
    this.host = host;
    this.leadNowhere = () => {
      tellNoMore();
      links.close();
    };
  }

  /** Takes the port, and closes whatever comes until `letIn`. Throws if the address is taken. */
  listen(): Promise<void> {
    return this.server.listen();
  }

  /** REQUIRES: it leads to a shard. */
  letIn(): void {
    this.server.serve(this.host!);
  }

  /** Frees the port. Whoever is in may stay. */
  shut(): void {
    this.server.stopListening();
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    this.leadNowhere();
    await this.server.close();
  }
}
