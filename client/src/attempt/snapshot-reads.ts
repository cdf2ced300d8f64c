// SnapshotReads: what a snapshot transaction observes, all as of one timestamp (docs/decisions/0038-snapshots.md). Its reads are native
// operations with that time: they take no lock, and writers do not wait for them.
//
// The first read is executed now, and the time at which that was is the snapshot's. Reads issued before it is known wait for it. A shard
// refuses a read whose snapshot may leave out what was acknowledged before the transaction began, and names a later time. Then everything is
// read again as of that time. Results are told once no read is under way: so the body has seen few of them by then, or none. If one that it
// has seen is another one now, the attempt fails, and the next one begins with a snapshot of that time or later.

import type { Environment } from '../environment/environment.ts';
import { stacklessError, type ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import type { Native, SnapshotReader } from '../native/native.ts';
import { NEVER_SENT, type Operation } from '../operation/operation.ts';
import type { Counters } from '../reports/counters.ts';
import { copyOf, isSame } from '../values/same.ts';
import type { OperationSpec } from '../values/operation-spec.ts';
import type { WireValue } from '../values/values.ts';
import { isBefore, later, type Wide } from '../wire/wide.ts';
import type { Coordinator } from './branch.ts';

export interface SnapshotDependencies {
  readonly environment: Pick<Environment, 'monotonicMs'>;
  readonly natives: { add(native: Native): void };
  readonly counters: Pick<Counters, 'operations' | 'snapshotReads' | 'snapshotsMoved'>;
}

interface Read {
  readonly operation: Operation<unknown>;
  /** undefined: it has yet to be answered, as of the present snapshot */
  answer: unknown;
  /** what the body was told */
  told: { readonly answer: unknown } | null;
}

const wideOf = (at: bigint): Wide => ({ high: Number(at >> 32n), low: Number(at & 0xffff_ffffn) });

/** A copy that the application cannot change. */
const kept = (answer: unknown): unknown =>
  typeof answer !== 'object' || answer === null || Array.isArray(answer) ? copyOf(answer as WireValue) : { ...answer };

export class SnapshotReads implements SnapshotReader {
  readonly begunMs: number;
  /** null: no read has been answered */
  at: Wide | null = null;
  readonly #attempt: Coordinator;
  readonly #dependencies: SnapshotDependencies;
  readonly #reads: Read[] = [];
  /** from here on they have not been told */
  #told = 0;
  /** those that wait until the snapshot's time is known; null: none was issued before it was */
  #waiting: Read[] | null = null;
  #underWay = 0;
  /** the greatest time that a shard has named; null: none has */
  #behind: Wide | null = null;
  /** all is being read again, also what the body has seen */
  #moves = false;
  #ended = false;
  #then: (() => void) | null = null;

  constructor(attempt: Coordinator, dependencies: SnapshotDependencies) {
    this.#attempt = attempt;
    this.#dependencies = dependencies;
    this.begunMs = attempt.owner.begunMs;
  }

  /** Its result is on its way. */
  observe<Result>(spec: OperationSpec, key: string, args: readonly unknown[]): Operation<Result> {
    const { counters } = this.#dependencies;
    const operation = this.#attempt.operation<Result>(NEVER_SENT, spec, key, args);
    const read: Read = { operation: operation as Operation<unknown>, answer: undefined, told: null };
    this.#reads.push(read);
    counters.operations++;
    counters.snapshotReads++;
    if (this.at !== null) this.#send(read);
    else if (this.#waiting === null) this.#sendFirst(read);
    else this.#waiting.push(read);
    return operation;
  }

  /** Calls `then` once nothing is under way, unless the attempt fails before. */
  whenTold(then: () => void): void {
    if (this.#underWay === 0) then();
    else this.#then = then;
  }

  fail(error: ClaretError): void {
    this.#ended = true;
    for (const { operation } of this.#reads) operation.fail(error);
  }

  onBehind(at: Wide): void {
    if (this.#ended) return;
    this.#behind = this.#behind === null ? at : later(this.#behind, at);
    this.#answered();
  }

  #sendFirst(first: Read): void {
    this.#waiting = [];
    this.#send(first, (executedAt) => {
      if (this.#ended) return;
      this.at = wideOf(executedAt);
      if (isBefore(this.at, this.#attempt.owner.snapshotFloor)) {
        this.at = this.#behind = this.#attempt.owner.snapshotFloor;
      } else {
        for (const read of this.#waiting!) this.#send(read);
      }
    });
  }

  #send(read: Read, executed: ((at: bigint) => void) | null = null): void {
    const { operation } = read;
    this.#underWay++;
    this.#dependencies.natives.add({
      call: operation,
      issuedMs: this.#dependencies.environment.monotonicMs(),
      dueMs: this.#attempt.owner.deadlineMs,
      resolve: (answer) => {
        read.answer = answer;
        this.#answered();
      },
      reject: (error) => {
        if (!this.#ended) this.#attempt.fail(error);
      },
      record: null,
      receipt: this.#attempt.owner.receipt,
      executed,
      at: this.at,
      snapshot: this,
    });
  }

  #answered(): void {
    if (--this.#underWay > 0 || this.#ended) return;
    if (this.#behind !== null) return this.#move(this.#behind);
    if (this.#moves) {
      this.#moves = false;
      const changed = this.#reads.slice(0, this.#told).find(({ answer, told }) => !isSame(answer, told!.answer));
      if (changed !== undefined) return this.#fail(changed);
    }
    const untold = this.#reads.slice(this.#told);
    this.#told = this.#reads.length;
    // The body may issue others meanwhile.
    for (const read of untold) {
      read.told = { answer: kept(read.answer) };
      read.operation.settle(read.answer);
    }
    const then = this.#then;
    this.#then = null;
    then?.();
  }

  /** Reads everything again as of a later time. */
  #move(at: Wide): void {
    this.#dependencies.counters.snapshotsMoved++;
    this.#behind = null;
    this.#moves = true;
    this.at = at;
    for (const read of this.#reads) this.#send(read);
  }

  #fail({ operation }: Read): void {
    this.#attempt.againAtOnce = true;
    this.#attempt.owner.snapshotFloor = this.at!;
    this.#attempt.fail(
      stacklessError({
        code: codes.snapshotBehind,
        message: 'the snapshot was taken before something that may have been acknowledged before the transaction began',
        key: operation.key,
        operation: operation.spec.name,
        retryable: true,
        cause: codes.snapshotBehind,
      }),
    );
  }
}

/** Calls `then` once all that was read has been told, unless the attempt fails before. */
export function whenTold(reads: SnapshotReads | null, then: () => void): void {
  if (reads === null) then();
  else reads.whenTold(then);
}
