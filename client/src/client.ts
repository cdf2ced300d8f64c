// Client: everything one application process has of a cluster: the topology, a session with each shard, the attempts
// under way. Reached through `Claret`, its public face (claret.ts).

import { Admission } from './admission.ts';
import { Attempt } from './attempt.ts';
import type { AttemptOwner } from './attempt-owner.ts';
import { AttemptTable } from './attempts.ts';
import { Combiner, type Combining } from './combiner.ts';
import { Deadlines } from './deadlines.ts';
import type { Environment } from './environment.ts';
import { ClaretError, codes } from './errors.ts';
import { AttemptRecord, type HistoryListener } from './history.ts';
import { Poller } from './poll.ts';
import { Delays, policyUnder, type RetryPolicy } from './retry.ts';
import { Session, type SessionState } from './session.ts';
import { Topology } from './topology.ts';
import type { Transaction } from './transaction.ts';
import type { Transport } from './transport.ts';
import { Watches } from './watch.ts';
import { ID_BYTES, type Wide } from './wire/client-frame.ts';
import type { ServerConditions } from './wire/server-frame.ts';

/** What is counted, since the client was made. */
export interface Counters {
  commits: number;
  /** transactions with an id that had committed before, and whose answer was given again */
  replays: number;
  /** attempts that were followed by another */
  retries: number;
  /** attempts that ended without a commit */
  aborts: number;
  /** operations issued */
  operations: number;
  /** of these, answered or let go on by an operation that another transaction holds, without being sent for it */
  combined: number;
  /** of these, never sent at all */
  neverSent: number;
  /** notices that an older transaction waits for one of ours */
  wounds: number;
  /** requests that met a lock while phasing was off, and were sent again */
  denials: number;
  /** transactions refused at once, since a shard was further behind than they had time */
  refused: number;
  /** sessions that broke */
  sessionsLost: number;
  /** frames and bytes sent */
  frames: number;
  bytes: number;
  framesIn: number;
  bytesIn: number;
  /** time spent polling for frames while none came */
  polledMs: number;
}

export interface Limits {
  timeoutMs: number;
  attemptsMax: number;
}

export interface Status {
  shards: { shard: number; address: string; state: SessionState }[];
}

/** How far things are behind. */
export interface Load {
  shards: ShardLoad[];
  /** transactions that run, and those that wait until fewer do */
  running: number;
  waiting: number;
}

export interface ShardLoad {
  shard: number;
  /** how long the oldest frame that the shard has not taken in, or the oldest request that waits to be sent, has waited */
  behindMs: number;
  /** requests that wait to be sent */
  unsent: number;
}

const ID_BLOCK_BYTES = 256 * ID_BYTES;
const TOPOLOGY_AGAIN_MS = 250;
/** Once a shard could not be reached so often in a row, it may have moved. */
const FAILURES_BEFORE_REFRESH = 2;

export class Client {
  readonly environment: Environment;
  readonly transport: Transport;
  readonly name: string;
  readonly limits: Limits;
  /** transactions send their operations so */
  readonly oneAtATime: boolean;
  readonly counters: Counters = {
    commits: 0,
    replays: 0,
    retries: 0,
    aborts: 0,
    operations: 0,
    combined: 0,
    neverSent: 0,
    wounds: 0,
    denials: 0,
    refused: 0,
    sessionsLost: 0,
    frames: 0,
    bytes: 0,
    framesIn: 0,
    bytesIn: 0,
    polledMs: 0,
  };
  readonly attempts = new AttemptTable<Attempt>();
  readonly watches: Watches;
  readonly poller: Poller;
  readonly admission = new Admission();
  readonly deadlines: Deadlines<Transaction>;
  readonly combiner = new Combiner(() => this.monotonicMs());
  retryPolicy: RetryPolicy;
  readonly statusListeners = new Set<(status: Status) => void>();
  #topology: Topology;
  readonly #seeds: string[];
  readonly #sessions: Session[] = [];
  readonly #delays: Delays;
  readonly #chosenPolicy: Partial<RetryPolicy>;
  readonly #chosenCombining: Combining | undefined;
  readonly #history: HistoryListener | undefined;
  readonly #beforeCommit: HistoryListener | undefined;
  #conditions: ServerConditions | null = null;
  #ids: Uint8Array = new Uint8Array(0);
  #idAt = 0;
  #lastMicroseconds = 0;
  #lastInMicrosecond = 0;
  #refreshing: Promise<void> | null = null;
  #closed = false;

  constructor(
    environment: Environment,
    transport: Transport,
    options: {
      name: string;
      limits: Limits;
      oneAtATime: boolean;
      retryPolicy: Partial<RetryPolicy>;
      combining: Combining | undefined;
      history: HistoryListener | undefined;
      beforeCommit: HistoryListener | undefined;
      pollMicroseconds: number;
      seeds: string[];
      topology: Topology;
    },
  ) {
    this.environment = environment;
    this.transport = transport;
    this.name = options.name;
    this.limits = options.limits;
    this.oneAtATime = options.oneAtATime;
    this.#chosenPolicy = options.retryPolicy;
    this.#chosenCombining = options.combining;
    this.#history = options.history;
    this.#beforeCommit = options.beforeCommit;
    this.combiner.configure(options.combining ?? 'auto', 'abstract');
    this.retryPolicy = policyUnder(null, options.retryPolicy);
    this.#seeds = options.seeds;
    this.#topology = options.topology;
    this.#delays = new Delays(environment);
    this.deadlines = new Deadlines(environment, (nowMs) => {
      this.admission.sweep(nowMs);
      return this.admission.waiting > 0;
    });
    this.poller = new Poller(environment, options.pollMicroseconds, this.counters);
    this.watches = new Watches(this);
    this.#takeTopology(options.topology);
  }

  monotonicMs(): number {
    return this.environment.monotonicMs();
  }

  random(): number {
    return this.environment.random();
  }

  get topology(): Topology {
    return this.#topology;
  }

  /** The cluster's concurrency control, as a shard said last. */
  get conditions(): ServerConditions | null {
    return this.#conditions;
  }

  onConditions(conditions: ServerConditions): void {
    this.#conditions = conditions;
    this.retryPolicy = policyUnder(conditions, this.#chosenPolicy);
    this.combiner.configure(this.#chosenCombining ?? (conditions.combining as Combining), conditions.locks);
  }

  sessionOf(key: string): Session {
    return this.#sessions[this.#topology.shardOf(key)]!;
  }

  sessionOfSlot(slot: number): Session {
    return this.#sessions[this.#topology.shardOfSlot(slot)]!;
  }

  // ---- attempts ----

  begin(transaction: Transaction): void {
    this.deadlines.add(transaction);
    this.admission.enter(transaction, transaction.begunMs);
  }

  beginAttempt(owner: Transaction & AttemptOwner): Attempt {
    if (this.#idAt === this.#ids.length) {
      this.#ids = this.environment.randomBytes(ID_BLOCK_BYTES);
      this.#idAt = 0;
    }
    const attempt = new Attempt(this, owner, this.#ids, this.#idAt);
    this.#idAt += ID_BYTES;
    if (this.#history !== undefined) attempt.record = new AttemptRecord(attempt, owner, this.#history);
    this.attempts.add(attempt);
    return attempt;
  }

  /** The attempt changes something, and nothing that commits it has left yet. */
  mayCommit(attempt: Attempt): void {
    if (this.#beforeCommit !== undefined) attempt.record?.mayCommit(this.#beforeCommit);
  }

  /**
   * Microseconds since the epoch, times 4096: smaller is older. The lowest bits start by chance, so that no process
   * always comes first, and count what begins here in the same microsecond: of two, the one that began first is older.
   */
  nextPriority(): Wide {
    const microseconds = Math.floor(this.environment.wallMs() * 1000);
    if (microseconds !== this.#lastMicroseconds) this.#lastInMicrosecond = Math.floor(this.random() * 2048);
    else if (this.#lastInMicrosecond < 4095) this.#lastInMicrosecond++;
    this.#lastMicroseconds = microseconds;
    return {
      high: Math.floor(microseconds / 2 ** 20),
      low: (((microseconds % 2 ** 20) * 4096) | this.#lastInMicrosecond) >>> 0,
    };
  }

  retry(transaction: Transaction, error: ClaretError, delayUs: number): void {
    if (this.#closed) return transaction.close(closedError());
    const again = () => {
      if (transaction.settled) return; // called off meanwhile
      if (this.admission.retry(transaction, this.monotonicMs())) this.pause(transaction, delayUs);
    };
    if (error.code === 'wrong_shard') this.refreshTopology().finally(again);
    else again();
  }

  /** The transaction starts again after a pause that counts as nothing. */
  pause(transaction: Transaction, delayUs: number): void {
    this.#delays.after(delayUs, () => (this.#closed ? transaction.close(closedError()) : transaction.start(true)));
  }

  later(microseconds: number, run: () => void): void {
    this.#delays.after(microseconds, run);
  }

  /** Calls into the application; what it throws is its own. */
  tell<Argument>(listener: (argument: Argument) => void, argument: Argument): void {
    try {
      listener(argument);
    } catch (error) {
      this.environment.setImmediate(() => {
        throw error;
      });
    }
  }

  // ---- sessions and topology ----

  onSessionLost(session: Session, error: ClaretError): void {
    this.counters.sessionsLost++;
    for (const attempt of this.attempts) {
      const part = attempt.partOf(session);
      if (part !== null) attempt.onSessionLost(part, error);
    }
    this.combiner.onSessionLost(session);
  }

  onSessionState(): void {
    for (const listener of this.statusListeners) this.tell(listener, this.status);
  }

  onShardUnreachable(failures: number): void {
    if (failures >= FAILURES_BEFORE_REFRESH) void this.refreshTopology();
  }

  get status(): Status {
    return {
      shards: this.#topology.shards.map(({ shard }) => {
        const { address, state } = this.#sessions[shard]!;
        return { shard, address, state };
      }),
    };
  }

  get load(): Load {
    const nowMs = this.monotonicMs();
    const { running, waiting } = this.admission;
    const shards = this.#topology.shards.map(({ shard }) => {
      const session = this.#sessions[shard]!;
      return { shard, behindMs: session.behindMs(nowMs), unsent: session.unsent };
    });
    return { shards, running, waiting };
  }

  /** Asks the gateways where the slots are now. Never fails: without an answer the old topology stands. */
  refreshTopology(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.environment.setTimeout(() => (this.#refreshing = null), TOPOLOGY_AGAIN_MS);
    });
    return this.#refreshing;
  }

  async #refresh(): Promise<void> {
    const addresses = [...this.#topology.shards.map((shard) => shard.address), ...this.#seeds];
    for (const address of new Set(addresses)) {
      if (this.#closed) return;
      try {
        const topology = new Topology(await this.transport.topology(address));
        if (topology.version >= this.#topology.version) this.#takeTopology(topology);
        return;
      } catch {
        // The next one may know.
      }
    }
  }

  #takeTopology(topology: Topology): void {
    this.#topology = topology;
    for (const { shard, address } of topology.shards) {
      const session = this.#sessions[shard];
      if (session !== undefined) session.moveTo(address);
      else {
        this.#sessions[shard] = new Session(this, shard, address);
        this.#sessions[shard].open();
      }
    }
  }

  // ---- the end ----

  get closed(): boolean {
    return this.#closed;
  }

  /** Transactions under way get `graceMs` to end; then they are called off. */
  async close(graceMs: number): Promise<void> {
    if (this.#closed) return;
    const until = this.monotonicMs() + graceMs;
    while ((this.attempts.size > 0 || this.deadlines.unsettled > 0) && this.monotonicMs() < until) {
      await new Promise<void>((resolve) => this.environment.setTimeout(resolve, 2));
    }
    this.#closed = true;
    this.admission.clear();
    for (const transaction of this.deadlines) transaction.close(closedError());
    for (const session of this.#sessions) session?.close();
    this.deadlines.stop();
    this.transport.close();
  }
}

export function closedError(): ClaretError {
  return new ClaretError({ code: codes.clientClosed, message: 'The client was closed' });
}
