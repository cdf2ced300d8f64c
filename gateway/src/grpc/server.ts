// The gRPC server: the Claret service, standard health and reflection, on one port, for as long as the process runs. Who answers the calls may
// change: a gateway without a shard answers in one way (standby.ts), one that serves a shard in another (service.ts). In between sessions
// wait, so that a client that knows the new owner before that is ready loses no time by trying again.
import net from 'node:net';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { ServerDuplexStream, UntypedServiceImplementation } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { HealthImplementation } from 'grpc-health-check';
import type { FastifyBaseLogger } from 'fastify';
import { splitAddress } from '../cluster.ts';
import type { Config } from '../config.ts';
import { connectionsOf } from '../descriptors.ts';
import { limitConnections } from '../connection-limit.ts';
import { described } from './description.ts';
import { guarded } from './guard.ts';
import { serverOptions } from './options.ts';
import { claretService, packages } from './proto.ts';

/** It has no state, and serves all servers of the process; it would read its own contract for each. */
const reflection: Parameters<Server['addService']>[] = [];
new ReflectionService(described(packages)).addToServer({ addService: (...service) => void reflection.push(service) });

const HEALTH_NAMES = ['', 'claret.v1.Claret'];

/** What answers each call of the service. */
export type Handlers = Record<string, (...args: unknown[]) => void>;

type Session = ServerDuplexStream<Buffer, Buffer>;

export class GrpcServer {
  private readonly server: Server;
  /** accepts the connections: grpc-js by itself has no limit on their number */
  private readonly listener: net.Server;
  private readonly health = new HealthImplementation();
  private handlers: Handlers;
  /** sessions that wait; null: they are answered */
  private waiting: Set<Session> | null = null;

  /** `handlers`: the first ones */
  constructor(config: Config, log: Pick<FastifyBaseLogger, 'warn'>, handlers: Handlers) {
    this.handlers = handlers;
    this.server = new Server(serverOptions(Math.max(config.frameBytesMax, config.bodyBytesMax)));
    const calls = Object.keys(claretService).map((name) => [name, (...args: unknown[]) => this.handlers[name]!(...args)] as const);
    const implementation = { ...Object.fromEntries(calls), Session: (call: Session) => this.onSession(call) };
    this.server.addService(claretService, guarded(implementation as UntypedServiceImplementation, config));
    this.health.addToServer(this.server);
    for (const service of reflection) this.server.addService(...service);
    this.setServing(false);
    const { injectConnection } = this.server.createConnectionInjector(ServerCredentials.createInsecure());
    this.listener = net.createServer({ noDelay: true }, injectConnection);
    limitConnections(this.listener, connectionsOf(config), 'gRPC', log);
  }

  /** Sessions that begin from now on wait for `answer`. */
  hold(): void {
    this.waiting ??= new Set();
  }

  /** Answers whatever waits, and everything that begins from now on. */
  answer(handlers: Handlers): void {
    this.handlers = handlers;
    const waiting = this.waiting ?? [];
    this.waiting = null;
    for (const call of waiting) this.onSession(call);
  }

  private onSession(call: Session): void {
    const { waiting } = this;
    if (waiting === null) return void this.handlers['Session']!(call);
    waiting.add(call);
    for (const event of ['cancelled', 'error', 'close']) call.once(event, () => waiting.delete(call));
  }

  setServing(serving: boolean): void {
    for (const name of HEALTH_NAMES) this.health.setStatus(name, serving ? 'SERVING' : 'NOT_SERVING');
  }

  /** `address`: host:port; `bind`: another host to listen on, or empty. Does nothing if it listens already. Throws if the address is taken. */
  listen(address: string, bind: string): Promise<void> {
    if (this.listener.listening) return Promise.resolve();
    const { host, port } = splitAddress(address);
    return new Promise((resolve, reject) => {
      const failed = (error: Error) => reject(new Error(`cannot listen on ${address} (gRPC): ${error.message}`));
      this.listener.once('error', failed);
      this.listener.listen({ host: bind || host, port }, () => {
        this.listener.off('error', failed);
        resolve();
      });
    });
  }

  /** Ends open calls and frees the port. */
  close(): void {
    this.listener.close();
    this.server.forceShutdown();
  }
}
