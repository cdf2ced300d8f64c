// The receivers of a session, as it sees them: attempts, natives, chains and watches.

import type { Call } from '../values/call.ts';
import type { ChainHandler } from '../wire/chain-reader.ts';
import type { Change, NativeHandler, Reply, Resumed, Welcome } from '../wire/server-frame.ts';
import type { Granted, WarrantyHandler } from '../wire/warranty-reader.ts';
import type { Wide } from '../wire/wide.ts';

export interface ReplyReceiver {
  /** Throws `malformed_frame` for a reply that fits no request. */
  onReply(reply: Reply): void;
}

export interface AttemptReceiver {
  /** its part at that shard; null: it has none */
  branchAt(shard: number): ReplyReceiver | null;
  /** An older transaction, of that priority, waits for the attempt at that shard. */
  onWound(shard: number, priority: Wide): void;
}

/** A room above: what it has at each shard. */
export interface AtShards<Receiver> {
  at(shard: number): Receiver;
}

/** The native operations at one shard. Throws `malformed_frame` for answers that fit none. Implemented once, since the session calls upwards. */
export interface NativeReceiver extends NativeHandler {
  /** The lost session may still execute natives: the next one has to name it. */
  readonly mayBeExecuted: boolean;
  /** A new session has begun. `resumed`: what is known of the unsettled natives. */
  onSessionBegun(resumed: Resumed | null): void;
}

/** The forecasts and the chain at one shard. Implemented once, since the session calls upwards. */
export interface CrowdReceiver extends ChainHandler {
  /** A new session has begun. */
  onSessionBegun(): void;
  /** Everything in a frame has been handled. */
  onFrameRead(nowMs: number): void;
}

/** `Welcome` has the meanings. */
export type WarrantyTerms = Pick<Welcome, 'warrantyTermMs' | 'warrantyEvidence'>;

/** What one shard has granted. Implemented once, since the session calls upwards. */
export interface WarrantyReceiver extends WarrantyHandler {
  /** A new session has begun, in which grants stand for so long. Those of the session before do not stand any more. */
  onSessionBegun(terms: WarrantyTerms): void;
  /** The shard has taken in a frame that left then. Everything that came with the acknowledgement has been handled. */
  onTakenIn(leftMs: number): void;
  /** The attempt that asked has no part there any more. */
  onGrantedInVain(granted: readonly Granted[]): void;
}

/** One watched operation. */
export interface WatchRequest {
  readonly id: number;
  readonly call: Call;
  /** timestamp of the last change seen */
  readonly since: Wide;
}

/** All watches of the client. Implemented once, since the session calls upwards. */
export interface WatchReceiver {
  /** The watches to request from a shard whose session has just become live. */
  resumed(shard: number, restarted: boolean): readonly WatchRequest[];
  onChange(change: Change): void;
}
