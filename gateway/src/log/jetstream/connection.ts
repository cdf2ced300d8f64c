// The connection to the NATS servers of a replicated log. It is made again by itself, for as long as the gateway runs; a start gives up
// after some time.
import { readFileSync } from 'node:fs';
import type { Environment } from '@claret/client';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import { AuthorizationError, TimeoutError, connect, credsAuthenticator } from '@nats-io/transport-node';
import type { NatsConnection, NodeConnectionOptions } from '@nats-io/transport-node';
import { pause, shardEnvironment } from '../../store/environment.ts';
import { LogRefused } from '../log.ts';
import { BODY_BYTES } from './frames.ts';

/** How the servers are reached. */
export interface NatsAccess {
  /** host:port of each */
  servers: readonly string[];
  /** empty: none */
  token: string;
  /** file with NATS' own options of a connection, as JSON (OPTION_MEMBERS; `creds` names a file); empty: none */
  optionsFile: string;
}

export interface Nats {
  connection: NatsConnection;
  js: JetStreamClient;
  jsm: JetStreamManager;
  /** its steady clock measures how long the servers take */
  environment: Environment;
  /** Called after each time that the connection was made again. */
  onReconnected: () => void;
}

/** The defects of JetStream that lost acknowledged messages before were met in older versions. */
const OLDEST: readonly number[] = [2, 15, 2];
const PAYLOAD_BYTES_LEAST = 2 * BODY_BYTES;
const CONNECT_WITHIN_MS = 30_000;
const TRY_AGAIN_MS = 300;
/** An answer that takes longer counts as lost. */
export const ANSWER_MS = 2_000;
/** The same where the asker finds out by itself what became of the question: the next leader, or one that has its quorum again, answers soon. */
export const SOON_MS = 500;

export const OPTION_MEMBERS = ['token', 'user', 'pass', 'creds', 'tls'] as const;

/** Throws LogRefused. */
export async function connectNats(access: NatsAccess, name: string): Promise<Nats> {
  const connection = await connectInTime(optionsOf(access, name), access);
  try {
    refuseServer(connection);
    const options = { timeout: ANSWER_MS };
    const jsm = await jetstreamManager(connection, { ...options, checkAPI: false });
    const nats: Nats = { connection, js: jetstream(connection, options), jsm, environment: shardEnvironment, onReconnected: () => {} };
    void tellReconnects(nats);
    return nats;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function optionsOf({ servers, token, optionsFile }: NatsAccess, name: string): NodeConnectionOptions {
  return {
    servers: [...servers],
    name,
    ...(token !== '' && { token }),
    ...(optionsFile !== '' && readOptions(optionsFile)),
    timeout: ANSWER_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: TRY_AGAIN_MS,
    ignoreAuthErrorAbort: true,
    pingInterval: 1_000, // finds a server that is frozen
    maxPingOut: 2,
    noAsyncTraces: true,
  };
}

function readOptions(file: string): NodeConnectionOptions {
  const refused = (why: string) =>
    new LogRefused(`${file} does not hold the options of a connection to NATS (${why}): it takes JSON with ${OPTION_MEMBERS.join(', ')}`);
  let options: Record<string, unknown>;
  try {
    options = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    const unknown = Object.keys(options).find((member) => !(OPTION_MEMBERS as readonly string[]).includes(member));
    if (unknown !== undefined) throw new Error(`there is no '${unknown}'`);
    const { creds, ...rest } = options;
    return { ...rest, ...(creds !== undefined && { authenticator: credsAuthenticator(readFileSync(String(creds))) }) };
  } catch (error) {
    throw refused((error as Error).message);
  }
}

async function connectInTime(options: NodeConnectionOptions, { servers }: NatsAccess): Promise<NatsConnection> {
  for (const giveUpMs = performance.now() + CONNECT_WITHIN_MS; ;) {
    try {
      return await connect(options);
    } catch (error) {
      const { message } = error as Error;
      if (error instanceof AuthorizationError)
        throw new LogRefused(
          `NATS at ${servers.join(', ')} does not let this gateway in (${message}): give it the right natsToken or natsOptions`,
        );
      if (performance.now() > giveUpMs)
        throw new LogRefused(
          `no NATS server answers at ${servers.join(', ')} (${message}): start the servers, or correct the setting nats`,
        );
      await pause(shardEnvironment, TRY_AGAIN_MS);
    }
  }
}

function refuseServer({ info }: NatsConnection): void {
  const { version = '', max_payload: payload = 0, jetstream: has = false, server_name: name = '' } = info ?? {};
  if (!has) throw new LogRefused(`the NATS server ${name} has no JetStream: enable it there (docs/operations.md, "The replicated log")`);
  if (isOlder(version)) throw new LogRefused(`the NATS server ${name} is of version ${version}: this needs ${OLDEST.join('.')} or later`);
  if (payload < PAYLOAD_BYTES_LEAST)
    throw new LogRefused(
      `the NATS server ${name} takes messages up to ${payload} bytes: set max_payload to ${PAYLOAD_BYTES_LEAST} or more`,
    );
}

function isOlder(version: string): boolean {
  const numbers = /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? [0];
  const different = OLDEST.findIndex((number, at) => number !== numbers[at]);
  return different >= 0 && (numbers[different] ?? 0) < OLDEST[different]!;
}

async function tellReconnects(nats: Nats): Promise<void> {
  for await (const { type } of nats.connection.status()) if (type === 'reconnect') nats.onReconnected();
}

/** The reason of a request's failure, for operators. */
export function whyOf(error: Error): string {
  if (error instanceof TimeoutError) return `no answer within ${ANSWER_MS} ms`;
  // The client's words for a subject at which nobody listens, which is what a stream without a leader looks like.
  if (error.name === 'JetStreamNotEnabled') return 'the stream has no leader';
  return error.message;
}
