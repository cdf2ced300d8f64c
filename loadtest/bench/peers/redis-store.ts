// RedisStore: Redis as the workloads use it. Transactions that can be sent as a whole share one connection, on which the client
// pipelines them; an optimistic transaction needs its own connection while it runs, because WATCH belongs to the connection.

import { setTimeout as pause } from 'node:timers/promises';
import { descriptions, type Claret, type Description } from '@claret/client';
import { WatchError } from 'redis';
import { BareRedis } from './bare-redis.ts';
import { connectionTo, poolTo, type Connection, type Pool } from './redis-connection.ts';
import { performAll } from './redis-records.ts';

export interface RedisOptions {
  port: number;
  /** connections for optimistic transactions; none by default */
  isolated?: number;
  /** before an optimistic transaction is retried: random up to 1 ms, doubled with each try up to this; 0: at once */
  backoff_ms_max?: number;
  /** opens `bare` as well */
  isBare?: boolean;
}

export class RedisStore {
  readonly on = descriptions;
  readonly shared: Connection;
  /** a connection without a client library; null unless requested */
  bare: BareRedis | null = null;
  /** optimistic transactions whose reads had changed */
  aborts = 0;
  readonly #pool: Pool | null;
  readonly #backoff_ms_max: number;

  private constructor({ port, isolated = 0, backoff_ms_max = 0 }: RedisOptions) {
    this.shared = connectionTo(port);
    this.#pool = isolated === 0 ? null : poolTo(port, isolated);
    this.#backoff_ms_max = backoff_ms_max;
  }

  static async connect(options: RedisOptions): Promise<RedisStore> {
    const store = new RedisStore(options);
    await Promise.all([store.shared.connect(), store.#pool?.connect()]);
    if (options.isBare) store.bare = await BareRedis.connect(options.port);
    return store;
  }

  /** Runs `body`, which watches what it reads and ends with EXEC or UNWATCH, until no watched key has changed in between. */
  optimistic<Result>(body: (connection: Connection) => Promise<Result>): Promise<Result> {
    return this.#pool!.execute(async (connection) => {
      for (let bound_ms = 1; ; bound_ms *= 2) {
        try {
          return await body(connection as Connection);
        } catch (error) {
          if (!(error instanceof WatchError)) throw error;
        }
        this.aborts++;
        if (this.#backoff_ms_max > 0) await pause(Math.random() * Math.min(bound_ms, this.#backoff_ms_max));
      }
    });
  }

  /** The interface of a Claret client, for loading and checking a workload's data. */
  readonly transact = ((_label: string, operations: readonly Description<unknown>[]) =>
    performAll(this.shared, operations)) as Claret['transact'];

  async close(): Promise<void> {
    await Promise.all([this.shared.close(), this.#pool?.close(), this.bare?.close()]);
  }
}
