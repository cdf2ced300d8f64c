// LocalTransport: frames within one process, to a gateway's own shard, or to a whole cluster in a test or a simulation. Addresses
// that are not local go to `elsewhere`.

import type { TopologyDescription } from '../topology/topology.ts';
import type { Link, LinkHandlers, Transport } from './transport.ts';

/** A shard in this process, seen from a client. It delivers frames in order, but never within `send`. */
export interface LocalShard {
  attach(handlers: LinkHandlers): Link;
}

export interface LocalTransportOptions {
  /** by address; each `open` looks the shard up anew */
  shards: ReadonlyMap<string, LocalShard>;
  topology: () => TopologyDescription;
  elsewhere?: Transport;
}

export class LocalTransport implements Transport {
  readonly #options: LocalTransportOptions;

  constructor(options: LocalTransportOptions) {
    this.#options = options;
  }

  open(address: string, handlers: LinkHandlers): Link {
    const shard = this.#options.shards.get(address);
    if (shard !== undefined) return shard.attach(handlers);
    if (this.#options.elsewhere !== undefined) return this.#options.elsewhere.open(address, handlers);
    let open = true;
    queueMicrotask(() => open && handlers.onClose(new Error(`no shard at ${address}`)));
    return { send: () => false, close: () => void (open = false) };
  }

  async topology(address: string): Promise<TopologyDescription> {
    const { shards, topology, elsewhere } = this.#options;
    if (shards.has(address) || elsewhere === undefined) return topology();
    return elsewhere.topology(address);
  }

  close(): void {
    this.#options.elsewhere?.close();
  }
}
