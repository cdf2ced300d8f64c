// RunningAttempt: an attempt as its transaction sees it, whether it takes locks as it goes (attempt.ts) or is sent whole (crowd/).

import type { ClaretError } from '../errors/claret-error.ts';
import type { Issuer } from '../operation/issuer.ts';
import type { Operation, Witness } from '../operation/operation.ts';
import type { Call } from '../values/call.ts';
import type { OperationSpec } from '../values/operation-spec.ts';
import type { WireValue } from '../values/values.ts';
import type { Grant } from '../warranties/grant.ts';
import type { Uses } from '../warranties/uses.ts';
import type { Warranties } from '../warranties/warranties.ts';
import type { WireError } from '../wire/wire-error.ts';
import type { KeptPart } from './keep-alive.ts';
import type { LockSet } from './lock-set.ts';

/** What computations need of the attempt in which they run. Implemented once, since a run of a body names it, and is one. */
export interface ComputingRun {
  /** no other attempt may follow this one */
  readonly owner: { readonly isLast: boolean };
  /** those of its client */
  readonly warranties: Warranties;
  /** Operations are under way that the body itself might not do. While it is above 0, what a shard refuses is not the body's fault. */
  asksForOthers: number;
  /** It failed since a shard has refused one of these. */
  readonly othersRefused: boolean;
  /** The warranties on which it relies; null: it locks all that it reads. Throws if the body has ended. */
  relying(): Uses | null;
  issue<Result>(spec: OperationSpec, key: string, args: readonly unknown[], witness: Witness | null): Operation<Result>;
}

/** One run of a body. */
export interface BodyRun extends Issuer {
  /** null: it is a forecast, or checks one, so it has to do itself all that computations do */
  readonly computing: ComputingRun | null;
  /** the operations of a list are issued one after the other, as by a body that awaits each */
  readonly awaitsEach: boolean;
  /**
   * Issues a reading of which the body knows the result, most likely. Missing: it is issued as all others.
   * @param guess the result with which it is settled; if it is another one when the attempt ends, the next attempt reads
   */
  guess?<Result>(call: Call, guess: WireValue): Operation<Result>;
  /** The body has returned; the transaction has what it returned. */
  bodyDone(): void;
  bodyThrew(thrown: unknown): void;
}

/** Finds out whether a body awaits anything but its operations. */
export interface BodyObserver {
  /** The body awaits the operation, which is pending. */
  awaits(operation: Operation<unknown>): void;
  ended(): void;
}

/** What of an attempt is at one shard. */
export interface AttemptPart extends KeptPart {
  readonly session: { readonly live: boolean };
  /** why its last request was denied */
  readonly denied: WireError | null;
  /** the first operation without a result */
  readonly unanswered: Call | undefined;
}

export interface RunningAttempt {
  /** why it failed */
  readonly error: ClaretError | null;
  readonly parts: readonly AttemptPart[];
  /** operations that the last run of the body has issued */
  readonly operations: number;
  /** of these, answered by warranties */
  readonly warranted: number;
  /** the warranties on which it relies; null or missing: on none */
  readonly uses?: { readonly grants: readonly Grant[] } | null;
  /** another attempt would fail too */
  readonly hopeless: boolean;
  /** the next attempt begins without a pause */
  readonly againAtOnce: boolean;
  /** time spent waiting for locks, as reported by shards */
  readonly waitedMs: number;
  /** it changes something if it commits, and may commit */
  readonly changes: boolean;
  /** its end is under way, and it may be decided */
  readonly preparing: boolean;
  /** It most likely waits at a shard for others. */
  readonly waits: boolean;
  /** A shard that has to be asked for the outcome cannot be reached. */
  readonly asksInVain: boolean;
  /** Lets the body run, as soon as it may. */
  begin(): void;
  /** Ends it, unless it has ended. REQUIRES: it cannot have committed. */
  fail(error: ClaretError): void;
  /** The client is closing while it prepares: its outcome will not be known. */
  giveUp(error: ClaretError): void;
  /** What the next attempt requests at once, by shard; null: nothing. */
  lockSets(): ReadonlyMap<number, LockSet> | null;
  /** The time of the transaction is over. */
  onDeadline(error: ClaretError): void;
  /** The time to ask for the outcome is over too. */
  onGraceOver(error: ClaretError): void;
  /** The result is no longer wanted. Returns false if the attempt may be decided already: then it ends by itself. */
  callOff(error: ClaretError): boolean;
  giveUpAsking(): void;
}

/** An attempt that takes its locks as its body runs. */
export type LockingAttempt = RunningAttempt & { readonly run: BodyRun };
