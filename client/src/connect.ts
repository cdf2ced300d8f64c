// connect: makes a client of a cluster.

import { Claret } from './claret.ts';
import { Client } from './client.ts';
import type { Environment } from './environment/environment.ts';
import { systemEnvironment } from './environment/system-environment.ts';
import { ClaretError } from './errors/claret-error.ts';
import { codes } from './errors/error-codes.ts';
import { wantConnectOptions } from './errors/misuse.ts';
import type { RetryPolicy } from './limits/retry-policy.ts';
import type { HistoryListener } from './reports/history.ts';
import { Topology } from './topology/topology.ts';
import { GrpcTransport } from './transport/grpc.ts';
import type { Transport } from './transport/transport.ts';

export interface ConnectOptions {
  /** host:port of the gRPC of any gateways */
  addresses: string[];
  /** the cluster's, if it has one */
  token?: string;
  /** shown to operators */
  name?: string;
  /** for a transaction with all its retries; 10,000 by default */
  timeoutMs?: number;
  /** for a transaction; 100 by default */
  attemptsMax?: number;
  /** how denied requests and failed attempts are repeated; the cluster's conditions decide by default */
  retryPolicy?: Partial<RetryPolicy>;
  /** off: no transaction is forecast and sent whole (API.md, "Forecasts"); the cluster's conditions decide by default */
  combining?: 'off';
  /** off: no transaction relies on warranties (API.md, "Warranties"); the cluster's conditions decide by default */
  warranties?: 'off';
  /**
   * Whether operations that answer nothing are kept until their transaction ends, so that they lock their records for one round trip; on
   * by default.
   */
  deferral?: boolean;
  /**
   * Transactions, also those of `transact`, send each operation only after the answer to the one before it, awaited or not. The vote
   * travels with the last operation. This is the paper's way, for measurements; off by default.
   */
  oneAtATime?: boolean;
  /** how long to poll for frames after the last one; 0 by default: the event loop sleeps */
  pollMicroseconds?: number;
  /** how long `connect` tries to learn the topology; 10,000 by default */
  connectTimeoutMs?: number;
  /** called for every attempt, once its outcome is known or given up (docs/history.md) */
  history?: HistoryListener;
  /** with `history`: called for an attempt or a native that changes something, as `unknown`, before a message is sent that may commit it; it must not issue operations */
  beforeCommit?: HistoryListener;
  /** gRPC by default, with the token; closed with the client */
  transport?: Transport;
  environment?: Environment;
}

export type TestConnectOptions = Omit<ConnectOptions, 'combining'> & {
  /** always: where the conditions allow it, all transactions that can be forecast are, hot records or not */
  combining?: 'off' | 'always';
};

const CONNECT_AGAIN_MS = 100;

/**
 * Learns the topology from any of the gateways. Rejects with `unauthenticated` if the cluster wants another token, and with
 * `shard_unavailable` if no gateway answers in time, or something else than gateways does.
 */
export async function connect(options: ConnectOptions): Promise<Claret> {
  wantConnectOptions(options, options?.transport === undefined);
  return connectForTests(options);
}

/** The same, with what only tests want. */
export async function connectForTests(options: TestConnectOptions): Promise<Claret> {
  const environment = options.environment ?? systemEnvironment;
  const transport = options.transport ?? new GrpcTransport(options.token);
  try {
    const topology = await learnTopology(environment, transport, options);
    return new Claret(
      new Client(environment, transport, {
        name: options.name ?? '',
        limits: { timeoutMs: options.timeoutMs ?? 10_000, attemptsMax: options.attemptsMax ?? 100 },
        oneAtATime: options.oneAtATime ?? false,
        retryPolicy: options.retryPolicy ?? {},
        combining: options.combining,
        warranties: options.warranties !== 'off',
        deferral: options.deferral,
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

async function learnTopology(environment: Environment, transport: Transport, options: TestConnectOptions): Promise<Topology> {
  const until = environment.monotonicMs() + (options.connectTimeoutMs ?? 10_000);
  for (;;) {
    // All at once: a gateway that stands still must not hold the others up.
    const asked = options.addresses.map(async (address) => new Topology(await transport.topology(address)));
    let errors: unknown[];
    try {
      return await Promise.any(asked);
    } catch (error) {
      errors = (error as AggregateError).errors;
    }
    const finals = errors.filter((error) => error instanceof ClaretError && !error.retryable);
    const refused = (finals as ClaretError[]).find(({ code }) => code === codes.unauthenticated);
    // The gateway of another address may be about to start.
    if (refused !== undefined || finals.length === errors.length) throw refused ?? finals[0];
    const last = errors.at(-1);
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
