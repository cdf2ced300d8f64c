// SessionContext: the things that all sessions of a client share.

import type { Environment } from '../environment/environment.ts';
import type { Identifiers } from './identifiers.ts';
import type { Poller } from '../environment/poller.ts';
import type { ClaretError } from '../errors/claret-error.ts';
import type { Transport } from '../transport/transport.ts';
import type { ServerConditions } from '../wire/server-frame.ts';
import type { AtShards, AttemptReceiver, CrowdReceiver, NativeReceiver, WarrantyReceiver, WatchReceiver } from './incoming.ts';
import type { Numbered, NumberedTable } from './numbered-table.ts';

export interface TrafficCounters {
  frames: number;
  bytes: number;
  framesIn: number;
  bytesIn: number;
}

export interface SessionListener {
  onSessionState(): void;
  /** The session is lost, with everything that was sent and not answered. */
  onSessionLost(shard: number, error: ClaretError): void;
  /** A connection attempt has failed, or a live session broke (0 failures). */
  onUnreachable(failures: number): void;
  onConditions(conditions: ServerConditions): void;
}

export interface SessionContext {
  readonly environment: Environment;
  readonly transport: Transport;
  /** the client's name */
  readonly name: string;
  readonly counters: TrafficCounters;
  readonly poller: Poller;
  /** those under way */
  readonly attempts: Pick<NumberedTable<AttemptReceiver & Numbered>, 'get' | 'lowWater'>;
  readonly watches: WatchReceiver;
  readonly natives: AtShards<NativeReceiver | null>;
  readonly crowds: AtShards<CrowdReceiver>;
  /** `wanted`: the client keeps the rules of warranties */
  readonly warranties: AtShards<WarrantyReceiver> & { readonly wanted: boolean };
  readonly identifiers: Identifiers;
  readonly listener: SessionListener;
}
