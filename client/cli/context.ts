// Context: what all commands share: the terminal, the global options, the gateway's REST and a client of the cluster.

import type { Claret } from '../src/index.ts';
import { EXIT, Problem, asProblem, usageProblem } from './problem.ts';
import { DEFAULT_GATEWAY, Rest, readAddresses } from './rest.ts';
import { screenOf } from './screen.ts';
import type { Screen } from './screen.ts';
import type { Terminal } from './terminal.ts';

/** The options as given on the command line. */
export interface GlobalOptions {
  gateway?: string;
  token?: string;
  /** seconds */
  timeout?: string;
  json?: boolean;
  color?: boolean;
}

export interface TopologyAnswer {
  version: number;
  durability: string;
  cluster_name: string;
  shards: { shard: number; address: string; rest_address: string; slots: SlotRun[] }[];
  /** gateways that own no shard */
  standbys: { address: string; rest_address: string }[];
}

/** Slots from `first` to `last`, both inclusive. */
export interface SlotRun {
  first: number;
  last: number;
}

const DEFAULT_TIMEOUT_S = 10;
const TIMEOUT_S_MAX = 3_600;
/** Longer than the grace after the time-out in which a transaction settles. */
const GRACE_MS = 5_000;
const CLOSE_WITHIN_MS = 100;

function readTimeout(text: string | undefined): number {
  if (text === undefined) return DEFAULT_TIMEOUT_S * 1000;
  const seconds = Number(text);
  if (!(seconds >= 0.1 && seconds <= TIMEOUT_S_MAX))
    throw usageProblem(`--timeout takes seconds from 0.1 to ${TIMEOUT_S_MAX}, not '${text}'.`);
  return Math.round(seconds * 1000);
}

export class Context {
  readonly terminal: Terminal;
  readonly screen: Screen;
  readonly isJson: boolean;
  readonly timeoutMs: number;
  /** as it was given; null: it was not */
  readonly givenTimeoutMs: number | null;
  readonly rest: Rest;
  #claret: Promise<Claret> | undefined;

  /** Throws a usage problem for options that are not valid. */
  constructor(terminal: Terminal, { gateway, token, timeout, json, color }: GlobalOptions) {
    this.terminal = terminal;
    this.screen = screenOf(terminal, color !== false);
    this.isJson = json === true;
    this.timeoutMs = readTimeout(timeout);
    this.givenTimeoutMs = timeout === undefined ? null : this.timeoutMs;
    const [address, ...others] = readAddresses(gateway ?? (terminal.env['CLARET_GATEWAY'] || DEFAULT_GATEWAY));
    this.rest = new Rest(
      { address, others, token: token ?? terminal.env['CLARET_TOKEN'] ?? '', timeoutMs: this.timeoutMs },
      terminal.interrupted,
    );
  }

  print(text: string): void {
    this.terminal.out(`${text}\n`);
  }

  /** Prints a JSON value on one line. */
  printJson(value: unknown): void {
    this.print(JSON.stringify(value));
  }

  topology(): Promise<TopologyAnswer> {
    return this.rest.get<TopologyAnswer>('/v1/topology');
  }

  /** The client of the cluster. The first call connects it, through the gateway. */
  claret(): Promise<Claret> {
    this.#claret ??= this.#connect();
    return this.#claret;
  }

  async #connect(): Promise<Claret> {
    const [{ shards }, { connect }] = await Promise.all([this.topology(), import('../src/index.ts')]);
    const { address: own, token } = this.rest.gateway;
    // The gateway that has just answered comes first, since it is known to be up.
    const addresses = [...shards]
      .sort((one, other) => Number(other.rest_address === own) - Number(one.rest_address === own))
      .map(({ address }) => address);
    return connect({ addresses, token, name: 'claret command line', timeoutMs: this.timeoutMs, connectTimeoutMs: this.timeoutMs });
  }

  /** Waits for the work until the time-out and a grace after it. Throws a problem. */
  async bounded<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const withinMs = this.timeoutMs + GRACE_MS;
      timer = setTimeout(
        () =>
          reject(
            new Problem(EXIT.unknown, 'no_answer', `No answer within ${withinMs / 1000} s.`, {
              hint: 'The transaction may have happened.',
              commit_state: 'unknown',
            }),
          ),
        withinMs,
      );
    });
    const called = new Promise<never>((_, reject) => {
      const off = () =>
        reject(
          new Problem(EXIT.unknown, 'interrupted', 'Interrupted before the answer came.', {
            hint: 'The transaction may have happened.',
            commit_state: 'unknown',
          }),
        );
      if (this.terminal.interrupted.aborted) off();
      else this.terminal.interrupted.addEventListener('abort', off, { once: true });
    });
    try {
      return await Promise.race([work, late, called]);
    } catch (error) {
      throw asProblem(error);
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    const claret = await this.#claret?.catch(() => undefined);
    await claret?.close(CLOSE_WITHIN_MS);
  }
}
