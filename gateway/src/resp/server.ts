// The server of the Redis door: each socket is a peer of the shard, whose bytes pass as they are, within the addon (RespSockets). It may listen before
// there is a shard, so that a port that is taken is found early: sockets are closed as they come, until one is served.
import { lookup } from 'node:dns/promises';
import { getSystemErrorMap } from 'node:util';
import { RespSockets } from '@claret/core';
import type { FastifyBaseLogger } from 'fastify';
import { splitAddress } from '../cluster.ts';
import { tellDropped } from '../connection-limit.ts';
import type { ShardHost } from '../store/shard-host.ts';

export interface RespServerOptions {
  /** host:port at which others find the door */
  address: string;
  /** another host to listen on, or empty */
  bind: string;
  /** Infinity for no limit */
  connectionsMax: number;
}

/** The last answers have left by then, or nobody reads them. */
const CLOSE_MS = 200;

export class RespServer {
  /** connections that were served, in total */
  accepted = 0;
  private readonly options: RespServerOptions;
  private readonly sockets: RespSockets;
  private isListening = false;
  private isClosed = false;
  private onEmptied: () => void = () => {};

  constructor(options: RespServerOptions, log: Pick<FastifyBaseLogger, 'warn'>) {
    this.options = options;
    const dropped = tellDropped(options.connectionsMax, 'Redis', log);
    this.sockets = new RespSockets(options.connectionsMax, { dropped, emptied: () => this.onEmptied() });
  }

  /** Does nothing if it listens already. Throws if the address is taken. */
  async listen(): Promise<void> {
    if (this.isListening || this.isClosed) return;
    this.isListening = true;
    try {
      await this.takePort();
    } catch (error) {
      this.isListening = false;
      throw new Error(`cannot listen on ${this.options.address} (Redis): ${(error as Error).message}`, { cause: error });
    }
  }

  /** Sockets that open from now on are clients of the shard. REQUIRES: its door is open. */
  serve(host: Pick<ShardHost, 'serveSockets'>): void {
    host.serveSockets(this.sockets, () => this.accepted++);
  }

  /** Frees the port. Clients that are connected stay. */
  stopListening(): void {
    this.isListening = false;
    if (!this.isClosed) this.sockets.stopListening();
  }

  /** Ends all clients, and resolves when their sockets are closed. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.stopListening();
    this.isClosed = true;
    this.sockets.serveNoMore();
    const emptied = new Promise<void>((resolve) => (this.onEmptied = resolve));
    this.sockets.endAll();
    const late = setTimeout(() => this.sockets.destroyAll(), CLOSE_MS);
    if (this.sockets.connections() > 0) await emptied;
    clearTimeout(late);
    this.sockets.shutDown();
  }

  private async takePort(): Promise<void> {
    const { address, bind } = this.options;
    const { host, port } = splitAddress(address);
    const { address: ip } = await lookup(bind || host);
    if (!this.isListening) return; // it was stopped meanwhile
    const error = this.sockets.listen(ip, port);
    if (error === 0) return;
    const [code, text] = getSystemErrorMap().get(error) ?? [String(error), 'unknown error'];
    throw new Error(`listen ${code}: ${text} ${ip}:${port}`);
  }
}
