// Natives: single operations outside any transaction (docs/decisions/0023-natives.md). Each is executed by itself, in one round trip, in
// strictly serializable order with all transactions.

import type { Cluster } from '../cluster/cluster.ts';
import type { Environment, Timer } from '../environment/environment.ts';
import { tell } from '../environment/tell.ts';
import { ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import { calledOffError, type Scope } from '../limits/scope.ts';
import type { Counters } from '../reports/counters.ts';
import { NATIVE_LABEL } from '../reports/history.ts';
import { ReceiptDraft } from '../reports/receipt-draft.ts';
import type { Receipt, ReceiptListener } from '../reports/receipt.ts';
import type { AtShards } from '../session/incoming.ts';
import type { Topology } from '../topology/topology.ts';
import type { Call } from '../values/call.ts';
import { timestampOf } from '../wire/moment.ts';
import { expiredBeforeIssue, notReadOnly, observes, type Native, type NativeOptions } from './native.ts';
import { MovedNatives } from './moved-natives.ts';
import { NativeQueue } from './native-queue.ts';
import { NativeRecord, type NativeHistory } from './native-record.ts';

const EXPIRE_EVERY_MS = 100;

type NativeCluster = Pick<Cluster, 'sessionOf' | 'findNewer'> & { topology(): Topology };

export type NativeCounters = Pick<Counters, 'natives' | 'nativesFailed' | 'nativesResent'>;

/** The view of the client through which natives are issued. */
export interface NativeView {
  readonly scope: Scope | null;
  readonly observers: readonly ReceiptListener[];
}

export class Natives implements AtShards<NativeQueue | null> {
  readonly #environment: Environment;
  readonly #cluster: NativeCluster;
  readonly #counters: NativeCounters;
  readonly #timeoutMs: number;
  readonly #history: NativeHistory | null;
  /** by shard */
  readonly #queues: NativeQueue[] = [];
  readonly #moved: MovedNatives;
  /** as it was when natives were last looked at */
  #topology: Topology | null = null;
  /** some may be with a shard that has their record no longer */
  #mayBeAstray = false;
  #timer: Timer | null = null;
  #closed = false;

  /** @param timeoutMs the time that a native has to be sent; a shard answers or withdraws it within a second after that */
  constructor(
    environment: Environment,
    cluster: NativeCluster,
    counters: NativeCounters,
    timeoutMs: number,
    history: NativeHistory | null,
  ) {
    this.#environment = environment;
    this.#cluster = cluster;
    this.#counters = counters;
    this.#timeoutMs = timeoutMs;
    this.#history = history;
    this.#moved = new MovedNatives(
      environment,
      () => cluster.findNewer(),
      (native) => {
        counters.nativesResent++;
        this.#queueOf(native.call).add(native);
        this.#watchTime();
      },
      ({ call }) => this.#isBehind(call),
    );
  }

  perform(call: Call, { scope, observers }: NativeView, options: NativeOptions): Promise<unknown> {
    if (this.#closed) return Promise.reject(closedError());
    if (scope?.calledOff) return Promise.reject(calledOffError());
    const { onExecuted } = options;
    return new Promise((resolve, reject) => {
      const at = options.at === undefined ? null : timestampOf(options.at);
      if (at !== null && call.spec.operationClass !== 'observe') return reject(notReadOnly(call));
      this.#counters.natives++;
      const record = this.#history === null ? null : new NativeRecord(this.#history, this.#counters.natives, call, at);
      const receipt = observers.length === 0 ? null : new ReceiptDraft(observers);
      const failed = (error: ClaretError) => {
        this.#counters.nativesFailed++;
        record?.failed(error);
        reject(error);
      };
      const issuedMs = this.#environment.monotonicMs();
      const dueMs = Math.min(issuedMs + this.#timeoutMs, scope?.deadlineMs ?? Infinity);
      if (dueMs <= issuedMs) return failed(expiredBeforeIssue(call));
      const executed = onExecuted === undefined ? null : (executedAt: bigint) => tell(this.#environment, onExecuted, executedAt);
      let native: Native = { call, issuedMs, dueMs, resolve, reject: failed, executed, record, receipt, at, snapshot: null };
      if (receipt !== null) native = this.#reported(native, receipt);
      if (scope !== null) native = this.#scoped(native, scope);
      this.add(native);
    });
  }

  /** Sends the native in its turn. */
  add(native: Native): void {
    const { call } = native;
    if (this.#closed) return native.reject(closedError());
    if (this.#moved.has(call.key)) this.#moved.add(native);
    else if (this.#isBehind(call)) this.#moved.addBehind(native);
    else this.#queueOf(call).add(native);
    this.#watchTime();
  }

  /** Another shard than the one that has the record now has an earlier native on it, which it may yet execute or refuse. */
  #isBehind({ key }: Call): boolean {
    if (!this.#areAstray()) return false;
    const { shard } = this.#cluster.sessionOf(key);
    return this.#queues.some((queue, other) => other !== shard && queue?.has(key));
  }

  /** Some natives are with a shard that has their record no longer. Few natives ask, since that lasts as long as their answers take. */
  #areAstray(): boolean {
    const topology = this.#cluster.topology();
    if (topology !== this.#topology) {
      this.#topology = topology;
      this.#mayBeAstray = true;
    }
    this.#mayBeAstray &&= this.#queues.some((queue, shard) => queue?.hasSuch((key) => topology.shardOf(key) !== shard));
    return this.#mayBeAstray;
  }

  #queueOf({ key }: Call): NativeQueue {
    const session = this.#cluster.sessionOf(key);
    return (this.#queues[session.shard] ??= new NativeQueue(session, this.#counters, (native) => this.#moved.add(native)));
  }

  /** The native, with a receipt for its observers before its promise settles. */
  #reported(native: Native, receipt: ReceiptDraft): Native {
    const end = (outcome: Receipt['outcome']) => {
      const durationMs = this.#environment.monotonicMs() - native.issuedMs;
      const told = receipt.end({
        label: NATIVE_LABEL,
        outcome,
        retries: 0,
        durationMs,
        operations: 1,
        warranted: 0,
        shards: 1,
        epochMs: null,
      });
      for (const listener of receipt.listeners) tell(this.#environment, listener, told);
    };
    return {
      ...native,
      resolve(result) {
        end('committed');
        native.resolve(result);
      },
      reject(error) {
        receipt.failed(error);
        end(error.commitState === 'unknown' ? 'unknown' : 'aborted');
        native.reject(error);
      },
    };
  }

  /** The native, as one of a scope: it can be called off until it has been sent. */
  #scoped(native: Native, scope: Scope): Native {
    const own: Native = {
      ...native,
      resolve(result) {
        scope.leave(member, !observes(native));
        native.resolve(result);
      },
      reject(error) {
        scope.leave(member, error.commitState === 'unknown');
        native.reject(error);
      },
    };
    const callOff = (error: ClaretError) => {
      this.#moved.withdraw(own, error);
      for (const queue of this.#queues) queue?.withdraw(own, error);
    };
    const member = { callOff };
    scope.enter(member);
    return own;
  }

  at(shard: number): NativeQueue | null {
    return this.#queues[shard] ?? null;
  }

  onSessionLost(shard: number): void {
    this.at(shard)?.onSessionLost();
    this.#watchTime();
  }

  /** Rejects everything that is not answered; natives issued later are rejected too. */
  close(): void {
    this.#closed = true;
    if (this.#timer !== null) this.#environment.clearTimeout(this.#timer);
    this.#timer = null;
    this.#moved.close(closedError());
    for (const queue of this.#queues) queue?.close(closedError());
  }

  /** Natives that wait for a shard that is away, or behind, may run out of time. */
  #watchTime(): void {
    if (this.#timer !== null || this.#closed) return;
    this.#timer = this.#environment.setTimeout(() => {
      this.#timer = null;
      for (const queue of this.#queues) queue?.expire(this.#environment.monotonicMs());
      if (this.#queues.some((queue) => queue?.waits)) this.#watchTime();
    }, EXPIRE_EVERY_MS);
  }
}

const closedError = (): ClaretError => new ClaretError({ code: codes.clientClosed, message: 'The client was closed' });
