// SimulatedSocket: as much of a socket of Node as the gateway uses at its door (gateway/src/resp), over the network.
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { Timer } from '@claret/client';
import type { Network, StreamEnd } from '../network.ts';
import type { SimulatedNode } from '../node.ts';

export class SimulatedSocket extends EventEmitter {
  destroyed = false;
  readonly #network: Network;
  readonly #node: SimulatedNode;
  #end: StreamEnd | null = null;
  /** written before it was to be connected */
  #early: Uint8Array[] = [];
  #isPaused = false;
  /** what has come while it is paused */
  #held: Uint8Array[] = [];
  #timer: Timer;

  private constructor(network: Network, node: SimulatedNode) {
    super();
    this.#network = network;
    this.#node = node;
  }

  /** It is to be connected. */
  static create(network: Network, node: SimulatedNode): Socket {
    return new SimulatedSocket(network, node) as unknown as Socket;
  }

  /** The socket at this end of a stream that another process has opened. */
  static of(network: Network, end: StreamEnd): Socket {
    const socket = new SimulatedSocket(network, end.node);
    socket.#end = end;
    end.handlers = socket.#handlers;
    return socket as unknown as Socket;
  }

  readonly #handlers = {
    onFrame: (bytes: Uint8Array) => this.#take(bytes),
    onWritable: () => this.emit('drain'),
    onClose: () => this.destroy(),
    onOpen: () => this.emit('connect'),
  };

  connect({ host, port }: { host: string; port: number }): void {
    this.#end = this.#network.open(this.#node, `${host}:${port}`, this.#handlers, true);
    for (const bytes of this.#early.splice(0)) this.#end.send(bytes);
  }

  write(bytes: Uint8Array): boolean {
    if (this.#end !== null) return this.#end.send(bytes);
    this.#early.push(bytes);
    return true;
  }

  #take(bytes: Uint8Array): void {
    if (this.#isPaused) this.#held.push(bytes);
    else this.emit('data', bytes);
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    while (this.#held.length > 0 && !this.#isPaused) this.emit('data', this.#held.shift());
  }

  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.setTimeout(0);
    this.#end?.close();
    this.#node.setImmediate(() => this.emit('close'));
  }

  /** What was written still arrives, as after `destroy`. */
  destroySoon(): void {
    this.destroy();
  }

  setTimeout(ms: number): this {
    this.#node.clearTimeout(this.#timer);
    this.#timer = ms === 0 ? undefined : this.#node.setTimeout(() => this.emit('timeout'), ms);
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  cork(): void {}

  uncork(): void {}
}
