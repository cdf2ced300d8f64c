// CrowdContext: what all attempts that are forecast share.

import type { AttemptOwner } from '../attempt/attempt-owner.ts';
import type { Delays } from '../environment/delays.ts';
import type { Environment } from '../environment/environment.ts';
import type { AttemptRecord } from '../reports/attempt-record.ts';
import type { Counters } from '../reports/counters.ts';
import type { HistoryListener } from '../reports/history.ts';
import type { Crowd } from './crowd.ts';
import type { AttemptId, WholeAttempt } from './whole-attempt.ts';

export interface CrowdContext {
  readonly environment: Environment;
  readonly counters: Counters;
  readonly delays: Delays;
  readonly crowd: Crowd;
  /** the attempts under way */
  readonly attempts: { add(attempt: WholeAttempt): void; remove(attempt: WholeAttempt): void };
  readonly beforeCommit: HistoryListener | undefined;
  nextId(): AttemptId;
  /** Null: no history is kept. */
  newRecord(attempt: { readonly id: Uint8Array }, owner: AttemptOwner): AttemptRecord | null;
  /** The durability of the cluster. */
  durability(): string;
}
