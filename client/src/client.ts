// Client: one application process's connection to a cluster. It makes the parts and passes them to each other. Applications see it
// as a `Claret`.

import { Attempt } from './attempt/attempt.ts';
import type { AttemptUnderWay } from './attempt/dependencies.ts';
import { Computations, type Flight } from './computations/computations.ts';
import type { Node } from './computations/node.ts';
import { Crowd } from './crowd/crowd.ts';
import { Clock } from './cluster/clock.ts';
import { Cluster } from './cluster/cluster.ts';
import type { Load } from './cluster/status.ts';
import { Delays } from './environment/delays.ts';
import type { Environment } from './environment/environment.ts';
import { Poller } from './environment/poller.ts';
import type { ClaretError } from './errors/claret-error.ts';
import { Natives } from './native/natives.ts';
import { Description } from './operation/description.ts';
import { Backoff } from './limits/backoff.ts';
import type { RetryPolicy } from './limits/retry-policy.ts';
import { newCounters, type Counters } from './reports/counters.ts';
import type { HistoryListener } from './reports/history.ts';
import { Identifiers } from './session/identifiers.ts';
import { NumberedTable } from './session/numbered-table.ts';
import type { Session } from './session/session.ts';
import type { Topology } from './topology/topology.ts';
import type { Limits } from './transaction/transaction-options.ts';
import { clientClosed } from './transaction/transaction-errors.ts';
import { Transactions } from './transaction/transactions.ts';
import { concludeWith, type Tx } from './transaction/tx.ts';
import type { Work } from './transaction/work.ts';
import type { Transport } from './transport/transport.ts';
import type { Call } from './values/call.ts';
import { Ways } from './ways/ways.ts';
import { Warranties } from './warranties/warranties.ts';
import { Watches } from './watching/watches.ts';
import type { ServerConditions } from './wire/server-frame.ts';

export interface ClientOptions {
  readonly name: string;
  readonly limits: Limits;
  readonly oneAtATime: boolean;
  readonly retryPolicy: Partial<RetryPolicy>;
  /** undefined: the cluster's conditions decide */
  readonly combining: 'off' | 'always' | undefined;
  /** false: no transaction of this client relies on warranties, whatever the cluster's conditions say */
  readonly warranties: boolean;
  /** undefined: on */
  readonly deferral: boolean | undefined;
  readonly history: HistoryListener | undefined;
  readonly beforeCommit: HistoryListener | undefined;
  readonly pollMicroseconds: number;
  /** addresses of gateways */
  readonly seeds: readonly string[];
  readonly topology: Topology;
}

export class Client {
  readonly environment: Environment;
  readonly counters: Counters = newCounters();
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly transactions: Transactions;
  readonly watches: Watches;
  readonly natives: Natives;
  readonly warranties: Warranties;
  readonly computations: Computations;
  readonly #crowd: Crowd;
  readonly #backoff: Backoff;
  readonly #chosenCombining: ClientOptions['combining'];

  constructor(environment: Environment, transport: Transport, options: ClientOptions) {
    const { counters } = this;
    const { name, limits, oneAtATime, history, beforeCommit } = options;
    const attempts = new NumberedTable<AttemptUnderWay>();
    this.environment = environment;
    this.#chosenCombining = options.combining;
    this.#backoff = new Backoff(environment, options.retryPolicy);
    const identifiers = new Identifiers(environment);
    const delays = new Delays(environment);
    const sessions = {
      session: (shard: number) => this.cluster.session(shard),
      sessionOf: (key: string) => this.cluster.sessionOf(key),
      firstLive: () => this.cluster.firstLive(),
      findNewer: () => this.cluster.findNewer(),
    };
    const ways = new Ways((key) => this.cluster.shardOf(key));
    this.#crowd = new Crowd(sessions, ways, {
      environment,
      delays,
      counters,
      attempts,
      nextId: () => this.transactions.nextId(),
      durability: () => this.cluster.topology.durability,
      holdsLocks: () => holdsLocks(attempts),
    });
    // An operation that waits for the one before it is answered by its shard: that is what is measured.
    const wanted = options.warranties && !oneAtATime;
    this.warranties = new Warranties({ environment, counters, sessionAt: (shard) => this.cluster.session(shard), wanted });
    this.computations = new Computations(
      environment,
      this.warranties,
      (node, flight) => this.#runNode(node, flight),
      (label, calls) => this.#readAll(label, calls),
    );
    this.watches = new Watches(environment, sessions);
    this.natives = new Natives(
      environment,
      { ...sessions, topology: () => this.cluster.topology },
      counters,
      limits.timeoutMs,
      history === undefined ? null : { environment, process: name, listener: history, beforeCommit },
    );
    this.cluster = new Cluster(
      {
        environment,
        transport,
        name,
        counters,
        poller: new Poller(environment, options.pollMicroseconds, counters),
        attempts,
        watches: this.watches,
        natives: this.natives,
        crowds: this.#crowd,
        warranties: this.warranties,
        identifiers,
      },
      this,
      options.seeds,
      options.topology,
    );
    this.clock = new Clock(environment, this.cluster);
    this.transactions = new Transactions(
      {
        environment,
        counters,
        cluster: this.cluster,
        backoff: this.#backoff,
        delays,
        warranties: this.warranties,
        attempts,
        natives: this.natives,
        beforeCommit,
      },
      attempts,
      this.#crowd,
      { name, limits, oneAtATime, history, newId: () => identifiers.next(), ways },
    );
    this.transactions.defers = options.deferral ?? true;
    this.cluster.open();
  }

  /** Runs a computation in a transaction of its own. */
  #runNode(node: Node, flight: Flight): Promise<unknown> {
    const body = async (tx: Tx): Promise<unknown> => {
      flight.joinable = true;
      flight.proving = false;
      try {
        const { value, proving } = await concludeWith(tx, node);
        flight.proving = proving;
        return value;
      } finally {
        flight.joinable = false;
      }
    };
    return this.#begin(node.computation.name, body);
  }

  #readAll(label: string, calls: readonly Call[]): Promise<unknown> {
    return this.#begin(
      label,
      calls.map(({ spec, key, args }) => new Description(spec, key, [...args])),
    );
  }

  /** A transaction that nobody has asked for. */
  #begin(label: string, work: Work): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.closed) return reject(clientClosed());
      this.transactions.begin({ label, work, options: { forecast: false }, receipt: null, identity: null, scope: null }, resolve, reject);
    });
  }

  sessionOf(key: string): Session {
    return this.cluster.sessionOf(key);
  }

  get load(): Load {
    const { running, waiting } = this.transactions;
    return { shards: this.cluster.load(this.environment.monotonicMs()), running, waiting };
  }

  onConditions(conditions: ServerConditions): void {
    this.#backoff.onConditions(conditions);
    this.#crowd.configure(this.#chosenCombining, conditions);
    this.warranties.configure(conditions);
  }

  onSessionLost(shard: number, error: ClaretError): void {
    this.counters.sessionsLost++;
    this.transactions.onSessionLost(shard, error);
    this.#crowd.onSessionLost(shard, error);
    this.natives.onSessionLost(shard);
  }

  get closed(): boolean {
    return this.transactions.closed;
  }

  /** Gives transactions under way `graceMs` to end, then calls them off. */
  async close(graceMs: number): Promise<void> {
    if (this.closed) return;
    await this.transactions.close(graceMs);
    this.natives.close();
    this.warranties.close();
    this.computations.close();
    this.cluster.close();
  }
}

function holdsLocks(attempts: Iterable<AttemptUnderWay>): boolean {
  for (const attempt of attempts) if (attempt instanceof Attempt) return true;
  return false;
}
