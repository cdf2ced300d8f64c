// DoorClient: a connection of a Redis client to a door, over the network.
import { firstReply, request } from '../../redis/raw-client.ts';
import type { DoorConnection, TimedReply } from '../../workloads/workload.ts';
import type { Network, StreamEnd } from '../network.ts';
import type { SimulatedNode } from '../node.ts';

/** A door that has not let the client in by then is given up: another one may. */
const ENTER_MS = 300;

interface Asked {
  callMs: number;
  settle(reply: TimedReply): void;
}

export class DoorClient implements DoorConnection {
  isOpen = true;
  readonly #node: SimulatedNode;
  readonly #timeoutMs: number;
  readonly #asked: Asked[] = [];
  #end!: StreamEnd;
  #received = '';

  private constructor(node: SimulatedNode, timeoutMs: number) {
    this.#node = node;
    this.#timeoutMs = timeoutMs;
  }

  /** Rejects if nobody is there, or does not answer. */
  static open(network: Network, node: SimulatedNode, address: string, timeoutMs: number): Promise<DoorClient> {
    return new Promise((resolve, reject) => {
      const client = new DoorClient(node, timeoutMs);
      const refused = () => {
        client.close();
        reject(new Error(`nobody answers at ${address}`));
      };
      const timer = node.setTimeout(refused, ENTER_MS);
      const onFrame = (bytes: Uint8Array) => client.#take(bytes);
      const onOpen = () => {
        node.clearTimeout(timer);
        resolve(client);
      };
      client.#end = network.open(node, address, { onFrame, onOpen, onWritable: () => {}, onClose: refused }, true);
    });
  }

  /** Sends all of them at once. */
  ask(commands: readonly (readonly string[])[]): Promise<TimedReply>[] {
    const replies = commands.map(() => {
      const callMs = this.#node.monotonicMs();
      return new Promise<TimedReply>((settle) => this.#asked.push({ callMs, settle }));
    });
    if (!this.isOpen) this.close();
    else this.#end.send(Buffer.from(commands.map(request).join('')));
    const last = this.#asked.at(-1);
    this.#node.setTimeout(() => last !== undefined && this.#asked.includes(last) && this.close(), this.#timeoutMs);
    return replies;
  }

  close(): void {
    this.isOpen = false;
    this.#end.close();
    const endMs = this.#node.monotonicMs();
    for (const { callMs, settle } of this.#asked.splice(0)) settle({ callMs, endMs, reply: undefined });
  }

  #take(bytes: Uint8Array): void {
    this.#received += Buffer.from(bytes).toString('latin1');
    for (let reply = firstReply(this.#received); reply !== undefined; reply = firstReply(this.#received)) {
      this.#received = this.#received.slice(reply.raw.length);
      const asked = this.#asked.shift();
      if (asked === undefined) throw new Error(`a door says ${JSON.stringify(reply.raw)}, and nobody has asked`);
      asked.settle({ callMs: asked.callMs, endMs: this.#node.monotonicMs(), reply });
    }
  }
}
