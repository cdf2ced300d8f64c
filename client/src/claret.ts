// Claret: what an application holds (client/API.md). A thin face over `Client`.

import { Client, closedError, type Counters, type Limits, type Load, type Status } from './client.ts';
import type { Combining } from './combiner.ts';
import { systemEnvironment, type Environment } from './environment.ts';
import { ClaretError, codes, errorLike } from './errors.ts';
import { Handles, operationSpecs } from './generated/handles.ts';
import type { HistoryListener } from './history.ts';
import { Identity, newTransactionId, transactionIdOf } from './identity.ts';
import { Description, type Described, type Operation, type ResultsOf } from './operation.ts';
import { Topology, slotOf } from './topology.ts';
import { Transaction, type Body, type TransactionOptions, type Work } from './transaction.ts';
import { GrpcTransport } from './transport/grpc.ts';
import { ReceiptDraft, type ReceiptListener } from './receipt.ts';
import type { RetryPolicy } from './retry.ts';
import { Scope, calledOffError } from './scope.ts';
import type { Transport } from './transport.ts';
import type { OperationSpec } from './values.ts';
import type { Listener, Watch } from './watch.ts';

export interface ConnectOptions {
  /** host:port of any gateways' gRPC */
  addresses: string[];
  /** the cluster's, where it has one */
  token?: string;
  /** shown to operators */
  name?: string;
  /** for a transaction with all its retries; 10,000 by default */
  timeoutMs?: number;
  /** for a transaction; 100 by default */
  attemptsMax?: number;
  /** how denied requests and failed attempts are repeated, instead of what suits the cluster's conditions */
  retryPolicy?: Partial<RetryPolicy>;
  /** whether transactions of this process share operations on one record; as the cluster's conditions say by default */
  combining?: Combining;
  /**
   * Transactions, `transact`'s too, send each operation only once the one before it has been answered, awaited or not; the
   * vote rides on the last. The paper's way, for measurements; off by default.
   */
  oneAtATime?: boolean;
  /** how long to go on polling for frames after the last one; 0 by default: the event loop sleeps */
  pollMicroseconds?: number;
  /** how long `connect` tries to learn the topology; 10,000 by default */
  connectTimeoutMs?: number;
  /** told of every attempt, once its fate is known or given up (docs/history.md) */
  history?: HistoryListener;
  /** with `history`: told of an attempt that changes something, as `unknown`, before anything leaves that may commit it */
  beforeCommit?: HistoryListener;
  /** gRPC by default, with the token; closed with the client */
  transport?: Transport;
  environment?: Environment;
}

/** The handles of `claret.on`: operations are only described. */
export type DescribedHandles = {
  [Name in Exclude<keyof Handles, 'issue'>]: Handles[Name] extends (key: string) => infer Handle
    ? (key: string) => Described<Handle>
    : never;
};

class Describer extends Handles {
  override issue<Result>(spec: OperationSpec, key: string, args: readonly unknown[]): Operation<Result> {
    // Typed as `DescribedHandles` where they are handed out.
    return new Description<Result>(spec, key, args) as unknown as Operation<Result>;
  }
}

/** What `claret.on` is of every client: descriptions need no connection. */
export const descriptions = new Describer() as unknown as DescribedHandles;

const CLOSE_GRACE_MS = 1_000;

export class Claret {
  readonly on: DescribedHandles = descriptions;
  readonly #client: Client;
  readonly #observers: readonly ReceiptListener[];
  readonly #scope: Scope | null;

  constructor(client: Client, observers: readonly ReceiptListener[] = [], scope: Scope | null = null) {
    this.#client = client;
    this.#observers = observers;
    this.#scope = scope;
  }

  /**
   * The same client once more: of each transaction that begins through it, `listener` is told one receipt when it ends,
   * before its promise settles. What observes this one is told too. Costs the client's other transactions nothing.
   */
  observed(listener: ReceiptListener): Claret {
    return new Claret(this.#client, [...this.#observers, listener], this.#scope);
  }

  /**
   * The same client once more: no transaction that begins through it goes on beyond the scope's deadline, whatever its own
   * options say, and all of them can be called off at once. The scope takes the place of the one that this view has.
   */
  within(scope: Scope): Claret {
    return new Claret(this.#client, this.#observers, scope);
  }

  /**
   * Runs `body` in a transaction and resolves with its result once it has committed. The body is run again where a try
   * left no trace and time is left, so it must have no other effects. What it throws aborts the transaction and is
   * passed through. Rejects with `ClaretError`; `commitState` says what is known of the effects.
   * @param label names the transaction's type, for operators
   */
  transaction<Result>(label: string, body: Body<Result>, options: TransactionOptions = {}): Promise<Result> {
    return this.#run(label, body, options) as Promise<Result>;
  }

  /** A transaction of operations that need nothing of each other: one message to each shard. The results, in order. */
  transact<const Descriptions extends readonly Description<unknown>[]>(
    label: string,
    operations: Descriptions,
    options: TransactionOptions = {},
  ): Promise<ResultsOf<Descriptions>> {
    return this.#run(label, operations, options) as Promise<ResultsOf<Descriptions>>;
  }

  #run(label: string, work: Work, options: TransactionOptions): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const refused = this.#client.closed ? closedError() : this.#scope?.calledOff === true ? calledOffError() : null;
      // With an id it may have committed when it was sent before.
      if (refused !== null) return reject(options.id === undefined ? refused : errorLike(refused, { commitState: 'unknown' }));
      const identity =
        options.id === undefined
          ? null
          : new Identity({ id: options.id, keepMs: options.keepMs ?? 0, inProgress: options.inProgress ?? 'wait' });
      const receipt = this.#observers.length === 0 ? null : new ReceiptDraft(this.#observers);
      this.#client.begin(new Transaction(this.#client, { label, work, options, receipt, identity, scope: this.#scope }, resolve, reject));
    });
  }

  /**
   * A new id for a transaction that is to be safe to send again (`{ id }`): text that nobody can guess. Its home is the shard of
   * `nearKey`: best where the transaction is at home anyway. `from`: 16 bytes that nobody can guess; the same bytes make the same id.
   */
  transactionId(nearKey?: string, from?: Uint8Array): string {
    const slot = nearKey === undefined ? null : slotOf(nearKey);
    return from === undefined ? newTransactionId(this.#client.environment, slot) : transactionIdOf(from, slot);
  }

  /**
   * Describes an operation by its name, "Set.add", with its arguments as the handle takes them, but never spread.
   * Throws `ClaretError` for an unknown one.
   */
  describe(key: string, name: string, args: readonly unknown[]): Description<unknown> {
    const spec = operationSpecs.get(name);
    if (spec === undefined) {
      throw new ClaretError({ code: codes.unknownOperation, message: `There is no operation ${name}`, key, operation: name });
    }
    return new Description(spec, key, args);
  }

  /**
   * Tells `listener` the answer of each operation now (or, with `since`, once its record has changed after that
   * timestamp), and again after every commit that changed the record; states between may be passed over.
   */
  watch<Result>(operations: readonly Description<Result>[], listener: Listener<Result>, options: { since?: bigint } = {}): Watch {
    return this.#client.watches.add(operations, listener, options.since ?? 0n);
  }

  get status(): Status {
    return this.#client.status;
  }

  /** How the cluster settles conflicts, as a shard said last; null: none has yet. */
  get conditions(): Readonly<{ locks: string; phasing: boolean; combining: string }> | null {
    return this.#client.conditions;
  }

  /** Returns what ends it. */
  onStatus(listener: (status: Status) => void): () => void {
    this.#client.statusListeners.add(listener);
    return () => void this.#client.statusListeners.delete(listener);
  }

  get counters(): Readonly<Counters> {
    return this.#client.counters;
  }

  get load(): Load {
    return this.#client.load;
  }

  get topology(): Topology {
    return this.#client.topology;
  }

  /** Lets transactions under way end for a while, then calls them off and leaves. */
  close(graceMs = CLOSE_GRACE_MS): Promise<void> {
    return this.#client.close(graceMs);
  }
}

const CONNECT_AGAIN_MS = 100;

/**
 * Learns the topology from any of the gateways. Rejects with `unauthenticated` where the cluster wants another token, with
 * `shard_unavailable` when none answers in time.
 */
export async function connect(options: ConnectOptions): Promise<Claret> {
  const environment = options.environment ?? systemEnvironment;
  const transport = options.transport ?? new GrpcTransport(options.token);
  const limits: Limits = {
    timeoutMs: options.timeoutMs ?? 10_000,
    attemptsMax: options.attemptsMax ?? 100,
  };
  try {
    const topology = await learnTopology(environment, transport, options);
    return new Claret(
      new Client(environment, transport, {
        name: options.name ?? '',
        limits,
        oneAtATime: options.oneAtATime ?? false,
        retryPolicy: options.retryPolicy ?? {},
        combining: options.combining,
        history: options.history,
        beforeCommit: options.beforeCommit,
        pollMicroseconds: options.pollMicroseconds ?? 0,
        seeds: options.addresses,
        topology,
      }),
    );
  } catch (error) {
    transport.close();
    throw error;
  }
}

async function learnTopology(environment: Environment, transport: Transport, options: ConnectOptions): Promise<Topology> {
  const until = environment.monotonicMs() + (options.connectTimeoutMs ?? 10_000);
  for (;;) {
    let last: unknown;
    for (const address of options.addresses) {
      try {
        return new Topology(await transport.topology(address));
      } catch (error) {
        if (error instanceof ClaretError && !error.retryable) throw error;
        last = error;
      }
    }
    if (environment.monotonicMs() >= until) {
      throw new ClaretError({
        code: codes.shardUnavailable,
        message: `No gateway answered at ${options.addresses.join(', ')}: ${last instanceof Error ? last.message : last}`,
        retryable: true,
        cause: 'timeout',
      });
    }
    await new Promise<void>((resolve) => environment.setTimeout(resolve, CONNECT_AGAIN_MS));
  }
}
