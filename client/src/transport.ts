// Transport: how frames reach a shard. The client knows nothing of gRPC beyond this.

import type { TopologyDescription } from './topology.ts';

export interface LinkHandlers {
  /** One whole frame. The bytes are the receiver's to keep. */
  onFrame(bytes: Uint8Array): void;
  /** The link is gone, for whatever reason; called once, and nothing after it. */
  onClose(error?: Error): void;
}

/** One stream with one shard. Frames arrive whole and in order, or the link closes. */
export interface Link {
  /** The bytes must not be written to again. False: more is waiting than the transport likes to hold. */
  send(bytes: Uint8Array): boolean;
  /** No more frames; `onClose` is not called any more. */
  close(): void;
}

export interface Transport {
  open(address: string, handlers: LinkHandlers): Link;
  /** Asks a gateway where the slots are. Rejects with a ClaretError that is not retryable where asking again is of no use. */
  topology(address: string): Promise<TopologyDescription>;
  close(): void;
}
