// The store: the processes of a run that hold the data. Two gateways with logs on their disks (local-store.ts), or gateways with a replicated
// log and its servers (replicated-store.ts).

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Actor } from './actor.ts';
import type { ActorDisk } from './disk.ts';
import type { ActorClock } from './clock.ts';
import type { Link } from './machines.ts';

export const SHARDS = 2;
/** Short, so that the work of a killed driver is settled soon. */
const SESSION_LEASE_MS = 1_000;
/** The gateways' `warrantyTermMs`. A change waits for so long for a silent client, and for so long at a gateway that starts after it was killed. */
export const WARRANTY_TERM_MS = 500;
/** The drain time of a gateway that is shutting down: under load its work never ends by itself. */
const DRAIN_MS = 200;

export interface Store {
  readonly gateways: readonly Actor[];
  /** those of a replicated log; they start before the gateways */
  readonly servers: readonly Actor[];
  /** host:port of the gRPC of each gateway, and base URL of its REST */
  readonly addresses: readonly string[];
  readonly rest: readonly string[];
  /** host:port of each gateway's Redis door */
  readonly doors: readonly string[];
  /** of the cluster; empty: none */
  readonly token: string;
  /** The gateways may change their shards. */
  readonly isReplicated: boolean;
  /** The gateway of each shard at present. REQUIRES: a gateway answers. */
  serving(): Promise<readonly Serving[]>;
  /** the disk of a gateway whose faults can be set */
  diskOf(actor: Actor): ActorDisk | undefined;
  /** the network of the machine on which the actor runs, if it can be cut off */
  linkOf(actor: Actor): Link | undefined;
  /** the wall clock of a gateway, if it can be set */
  clockOf(actor: Actor): ActorClock | undefined;
  /** What gateways keep on their disks besides logs is lost. REQUIRES: they do not run. */
  forget(): void;
}

export interface Serving {
  actor: Actor;
  /** base URL */
  rest: string;
}

/** A program of the project, run by this version of Node. */
export const program = (...path: string[]): [string, string] => [
  process.execPath,
  fileURLToPath(new URL(join('..', '..', '..', ...path), import.meta.url)),
];

/** The command of a gateway. `place`: which shard it serves, or where it waits for one. `cluster`: "GRPC/REST/RESP,GRPC/REST/RESP" */
export const gatewayCommand = (place: readonly string[], cluster: string, dataDir: string, keepMs: number): [string, ...string[]] => [
  ...program('gateway', 'src', 'main.ts'),
  ...[...place, '--cluster', cluster, '--data-dir', dataDir],
  ...['--session-lease-ms', String(SESSION_LEASE_MS), '--drain-ms', String(DRAIN_MS), '--idempotency-ms', String(keepMs)],
  ...['--warranty-term-ms', String(WARRANTY_TERM_MS)],
];
