// Transport: the way of frames to a shard. It hides gRPC from the rest of the client.

import type { TopologyDescription } from '../topology/topology.ts';

export interface LinkHandlers {
  /** One whole frame has arrived. The receiver may keep the bytes. */
  onFrame(bytes: Uint8Array): void;
  /** The link is gone. This is the last call, and it comes once. */
  onClose(error?: Error): void;
}

/** One stream with one shard. Frames arrive whole and in order, or the link closes. */
export interface Link {
  /** Sends bytes that are never written to again. Returns false if the transport already holds too many. */
  send(bytes: Uint8Array): boolean;
  /** Ends the link. `onClose` is not called for it. */
  close(): void;
}

export interface Transport {
  open(address: string, handlers: LinkHandlers): Link;
  /** Asks a gateway for the topology. Rejects with a ClaretError that is not retryable if a retry could not succeed. */
  topology(address: string): Promise<TopologyDescription>;
  close(): void;
}
