// The cast: the processes of a run. The store (store.ts), two app servers of the auction site, and a driver for each workload.

import { freePorts } from '../../../scripts/run/ports.js';
import { Actor } from './actor.ts';
import type { Told } from './ledger.ts';
import { program, type Store } from './store.ts';
import type { Visitor } from './workload.ts';

const APP_SERVERS = 2;
/** Puts the mistake in that CLARET_MISTAKE names. */
const MISTAKES = new URL('../mistakes/load.ts', import.meta.url).href;

export interface CastOptions {
  store: Store;
  seed: number;
  /** of the drivers */
  workloads: readonly string[];
  /** a mistake of the client, in the drivers */
  mistake?: string | undefined;
  onTold: (driver: string, told: Told) => void;
  onLife: (pid: number, lives: boolean) => void;
}

export class Cast {
  readonly store: Store;
  readonly appServers: readonly Actor[];
  readonly drivers: Actor[] = [];
  /** base URLs of the app servers */
  readonly sites: readonly string[];
  readonly #options: CastOptions;

  private constructor(options: CastOptions, ports: number[]) {
    const { store, onLife } = options;
    this.#options = options;
    this.store = store;
    this.sites = ports.map((port) => `http://127.0.0.1:${port}`);
    this.appServers = this.sites.map(
      (url, number) =>
        new Actor({
          name: `app server ${number}`,
          command: [
            ...program('apps', 'rubis', 'server', 'main.ts'),
            ...['--port', new URL(url).port, '--gateways', store.addresses.join(','), '--log-level', 'warn'],
          ],
          env: this.#env,
          readyAt: `${url}/readyz`,
          startedAgain: /No gateway answered/,
          onLife,
        }),
    );
  }

  static async on(options: CastOptions): Promise<Cast> {
    return new Cast(options, options.workloads.includes('site-bids') ? await freePorts(APP_SERVERS) : []);
  }

  /** Call when people can be logged in. REQUIRES: called once. */
  addDrivers(people: readonly Visitor[]): void {
    const { store, workloads, mistake, seed, onTold, onLife } = this.#options;
    workloads.forEach((workload, number) => {
      const name = `driver ${number + 1} (${workload})`;
      const args = [
        workload,
        '--seed',
        String(seed + 1 + number),
        '--gateways',
        store.addresses.join(','),
        '--rest',
        store.rest.join(','),
        '--doors',
        store.doors.join(','),
        '--app-servers',
        this.sites.join(','),
        '--people',
        JSON.stringify(people),
      ];
      this.drivers.push(
        new Actor({
          name,
          command: [...program('loadtest', 'proofs', 'crash', 'driver.ts'), ...args],
          env: { ...this.#env, ...(mistake !== undefined && { CLARET_MISTAKE: mistake, NODE_OPTIONS: `--import ${MISTAKES}` }) },
          onLife,
          onTold: (told) => onTold(name, told),
        }),
      );
    });
  }

  get #env(): NodeJS.ProcessEnv {
    return { CLARET_TOKEN: this.store.token };
  }

  /** Drivers first, servers last. */
  get all(): readonly Actor[] {
    return [...this.drivers, ...this.appServers, ...this.store.gateways, ...this.store.servers];
  }

  get workloads(): readonly string[] {
    return this.#options.workloads;
  }

  get kills(): number {
    return this.all.reduce((sum, { kills }) => sum + kills, 0);
  }
}
