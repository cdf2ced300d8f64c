// The things that all attempts of a client share. They are made once and passed in, so that an attempt needs no client.

import type { Cluster } from '../cluster/cluster.ts';
import type { Delays } from '../environment/delays.ts';
import type { Environment } from '../environment/environment.ts';
import type { Backoff } from '../limits/backoff.ts';
import type { Counters } from '../reports/counters.ts';
import type { HistoryListener } from '../reports/history.ts';
import type { ClaretError } from '../errors/claret-error.ts';
import type { AttemptReceiver } from '../session/incoming.ts';
import type { Warranties } from '../warranties/warranties.ts';
import type { Native } from '../native/native.ts';
import type { Numbered } from '../session/numbered-table.ts';

/** An attempt in the client's table. */
export interface AttemptUnderWay extends Numbered, AttemptReceiver {
  onSessionLost(shard: number, error: ClaretError): void;
}

export interface BranchDependencies {
  readonly counters: Counters;
  readonly backoff: Backoff;
  readonly delays: Delays;
  readonly warranties: Warranties;
}

export interface AttemptDependencies extends BranchDependencies {
  readonly environment: Environment;
  readonly cluster: Cluster;
  /** the attempts under way */
  readonly attempts: { remove(attempt: Numbered): void };
  readonly beforeCommit: HistoryListener | undefined;
  /** those of the client, by which snapshot transactions read */
  readonly natives: { add(native: Native): void };
}
