// Links to the doors of other gateways. The core wants one where a client's command needs a key of another shard, and keeps it for as long as the
// client stays. A door that could not be reached is tried again after a delay; a link to an address that is no door any more is broken, since a
// gateway that stands still would keep it open.
import { Socket } from 'node:net';
import type { Environment } from '@claret/client';
import type { WantedLink } from '@claret/core';
import { shardEnvironment } from '../store/environment.ts';
import type { ShardHost } from '../store/shard-host.ts';
import { linkOf } from './link.ts';

/** A door that has not answered by then cannot be reached. */
const CONNECT_MS = 2_000;
const TRY_AGAIN_MS = 200;
const KEEP_ALIVE_MS = 10_000;

type Host = Pick<ShardHost, 'onWantedLinks' | 'connectLink' | 'receive' | 'writable' | 'disconnect'>;

const keyOf = ({ host, port }: Pick<WantedLink, 'host' | 'port'>): string => `${host} ${port}`;

export class DoorLinks {
  private readonly host: Host;
  private readonly max: number;
  private readonly environment: Environment;
  private readonly createSocket: () => Socket;
  /** with their doors */
  private readonly open = new Map<Socket, string>();
  /** by door */
  private readonly notBeforeMs = new Map<string, number>();
  private isClosed = false;

  /** `max`: links beyond that end as they come; Infinity for no limit */
  constructor(host: Host, max: number, environment: Environment = shardEnvironment, createSocket: () => Socket = () => new Socket()) {
    this.host = host;
    this.max = max;
    this.environment = environment;
    this.createSocket = createSocket;
    host.onWantedLinks = (links) => {
      for (const link of links) this.want(link);
    };
  }

  /** These are the doors now. */
  keep(doors: Iterable<Pick<WantedLink, 'host' | 'port'>>): void {
    const kept = new Set([...doors].map(keyOf));
    for (const [socket, door] of this.open) if (!kept.has(door)) socket.destroy();
    for (const door of this.notBeforeMs.keys()) if (!kept.has(door)) this.notBeforeMs.delete(door);
  }

  close(): void {
    this.isClosed = true;
    for (const socket of this.open.keys()) socket.destroy();
  }

  private want(link: WantedLink): void {
    const door = keyOf(link);
    const socket = this.createSocket();
    socket.cork(); // takes bytes before it is connected
    const peer = this.host.connectLink(linkOf(socket), link.link);
    let isConnected = false;
    socket.on('connect', () => {
      isConnected = true;
      socket.setTimeout(0);
    });
    socket.on('timeout', () => socket.destroy());
    socket.on('data', (bytes) => this.host.receive(peer, bytes));
    socket.on('drain', () => this.host.writable(peer));
    socket.on('error', () => {}); // 'close' follows
    socket.on('close', () => {
      this.open.delete(socket);
      if (!isConnected) this.notBeforeMs.set(door, this.environment.monotonicMs() + TRY_AGAIN_MS);
      this.host.disconnect(peer);
    });
    if (this.isClosed || this.open.size >= this.max) return void socket.destroy();
    this.open.set(socket, door);
    const waitMs = (this.notBeforeMs.get(door) ?? 0) - this.environment.monotonicMs();
    if (waitMs <= 0) connect(socket, link);
    else this.environment.setTimeout(() => connect(socket, link), waitMs);
  }
}

function connect(socket: Socket, { host, port }: WantedLink): void {
  if (socket.destroyed) return;
  socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS).setTimeout(CONNECT_MS);
  socket.connect({ host, port });
  socket.uncork();
}
