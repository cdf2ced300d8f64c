// The server of the Redis door: each socket is a peer of the shard, whose bytes pass as they are. It may listen before there is a shard, so that
// a port that is taken is found early: sockets are closed as they come, until one is served.
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { splitAddress } from '../cluster.ts';
import { limitConnections } from '../connection-limit.ts';
import type { ShardHost } from '../store/shard-host.ts';
import { linkOf } from './link.ts';

export interface RespServerOptions {
  /** host:port at which others find the door */
  address: string;
  /** another host to listen on, or empty */
  bind: string;
  /** Infinity for no limit */
  connectionsMax: number;
}

type Host = Pick<ShardHost, 'connectResp' | 'receive' | 'writable' | 'hangUp' | 'disconnect'>;

/** Redis clients send no heartbeats. As in Redis, a peer that has vanished is noticed some time after this. */
const KEEP_ALIVE_MS = 300_000;
/** The last answers have left by then, or nobody reads them. */
const CLOSE_MS = 200;

export class RespServer {
  /** connections that were served, in total */
  accepted = 0;
  private readonly options: RespServerOptions;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private host: Host | undefined;

  constructor(options: RespServerOptions, log: Pick<FastifyBaseLogger, 'warn'>) {
    this.options = options;
    // Half open: a client that has sent its last command still reads.
    const settings = { allowHalfOpen: true, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS };
    this.server = createServer(settings, (socket) => this.accept(socket));
    limitConnections(this.server, options.connectionsMax, 'Redis', log);
  }

  /** Does nothing if it listens already. Throws if the address is taken. */
  listen(): Promise<void> {
    if (this.server.listening) return Promise.resolve();
    const { address, bind } = this.options;
    const { host, port } = splitAddress(address);
    return new Promise((resolve, reject) => {
      const failed = (error: Error) => reject(new Error(`cannot listen on ${address} (Redis): ${error.message}`));
      this.server.once('error', failed);
      this.server.listen({ host: bind || host, port }, () => {
        this.server.off('error', failed);
        resolve();
      });
    });
  }

  /** Sockets that open from now on are clients of the shard. REQUIRES: its door is open. */
  serve(host: Host): void {
    this.host = host;
  }

  /** Frees the port. Clients that are connected stay. */
  stopListening(): void {
    if (this.server.listening) this.server.close();
  }

  /** Ends all clients, and resolves when their sockets are closed. */
  async close(): Promise<void> {
    this.stopListening();
    this.host = undefined;
    const closed = Promise.all([...this.sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    for (const socket of this.sockets) socket.destroySoon();
    const late = setTimeout(() => this.sockets.forEach((socket) => socket.destroy()), CLOSE_MS);
    await closed;
    clearTimeout(late);
  }

  private accept(socket: Socket): void {
    const { host } = this;
    const { remoteAddress, remotePort, localAddress, localPort } = socket;
    socket.on('error', () => {}); // 'close' follows
    // Without an address, the client has gone already.
    if (host === undefined || remoteAddress === undefined) return void socket.destroy();
    this.accepted++;
    this.sockets.add(socket);
    const peer = host.connectResp(linkOf(socket), addressOf(remoteAddress, remotePort), addressOf(localAddress, localPort));
    socket.on('data', (bytes) => host.receive(peer, bytes));
    socket.on('drain', () => host.writable(peer));
    socket.on('end', () => void host.hangUp(peer));
    socket.on('close', () => {
      this.sockets.delete(socket);
      host.disconnect(peer);
    });
  }
}

const addressOf = (host = '', port = 0): string => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`);
