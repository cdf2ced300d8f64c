// The cast: the processes of a run. Two gateways, which form one cluster, two app servers of the auction site, and a driver for
// each workload.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts } from '../../../scripts/run/ports.js';
import { Actor } from './actor.ts';
import { ActorDisk, DISKS, type Disk } from './disk.ts';
import { buildFaults } from './faults.ts';
import { KEEP_MS } from './jobs.ts';
import type { Told } from './ledger.ts';
import type { Visitor } from './workload.ts';

const SHARDS = 2;
const APP_SERVERS = 2;
/** Short, so that the work of a killed driver is settled soon. */
const SESSION_LEASE_MS = 1_000;
/** The drain time of a gateway that is shutting down: under load its work never ends by itself. */
const DRAIN_MS = 200;

const program = (...path: string[]) => fileURLToPath(new URL(join('..', '..', '..', ...path), import.meta.url));

export interface CastOptions {
  /** for the gateways' data and disks */
  folder: string;
  disk: Disk;
  seed: number;
  /** of the drivers */
  workloads: readonly string[];
  /** overrides the gateways' settings */
  gatewayEnv: NodeJS.ProcessEnv;
  onTold: (driver: string, told: Told) => void;
  onLife: (pid: number, lives: boolean) => void;
}

export class Cast {
  readonly gateways: readonly Actor[];
  readonly appServers: readonly Actor[];
  readonly drivers: Actor[] = [];
  /** host:port of the shards' gRPC; base URLs of their REST, and of the app servers */
  readonly addresses: readonly string[];
  readonly rest: readonly string[];
  readonly sites: readonly string[];
  readonly #options: CastOptions;
  readonly #disks = new Map<Actor, ActorDisk>();

  private constructor(options: CastOptions, ports: number[], faults: string) {
    const { folder, disk, gatewayEnv, onLife, workloads } = options;
    const at = (number: number) => `127.0.0.1:${ports[number]}`;
    const members = Array.from({ length: SHARDS }, (_, shard) => ({ grpc: at(2 * shard), rest: at(2 * shard + 1) }));
    this.#options = options;
    this.addresses = members.map(({ grpc }) => grpc);
    this.rest = members.map(({ rest }) => `http://${rest}`);
    const cluster = members.map(({ grpc, rest }) => `${grpc}/${rest}`).join(',');
    this.gateways = members.map(({ rest }, shard) => {
      const own = new ActorDisk(faults, join(folder, `shard-${shard}`), DISKS[disk]);
      const actor = new Actor({
        name: `gateway ${shard}`,
        program: program('gateway', 'src', 'main.ts'),
        readyAt: `http://${rest}/readyz`,
        env: { ...gatewayEnv, ...own.env },
        onLife,
        args: [
          ...['--shard', String(shard), '--cluster', cluster, '--data-dir', own.dir, '--log-level', 'warn'],
          ...['--session-lease-ms', String(SESSION_LEASE_MS), '--drain-ms', String(DRAIN_MS), '--idempotency-ms', String(KEEP_MS)],
        ],
      });
      this.#disks.set(actor, own);
      return actor;
    });
    this.sites = workloads.includes('site-bids')
      ? Array.from({ length: APP_SERVERS }, (_, number) => `http://${at(2 * SHARDS + number)}`)
      : [];
    this.appServers = this.sites.map(
      (url, number) =>
        new Actor({
          name: `app server ${number}`,
          program: program('apps', 'rubis', 'server', 'main.ts'),
          readyAt: `${url}/readyz`,
          startedAgain: /No gateway answered/,
          onLife,
          args: ['--port', new URL(url).port, '--gateways', this.addresses.join(','), '--log-level', 'warn'],
        }),
    );
  }

  static async on(options: CastOptions): Promise<Cast> {
    return new Cast(options, await freePorts(2 * SHARDS + APP_SERVERS), await buildFaults());
  }

  /** Call when people can be logged in. REQUIRES: called once. */
  addDrivers(people: readonly Visitor[]): void {
    const { workloads, seed, onTold, onLife } = this.#options;
    workloads.forEach((workload, number) => {
      const name = `driver ${number + 1} (${workload})`;
      const args = [
        workload,
        '--seed',
        String(seed + 1 + number),
        '--gateways',
        this.addresses.join(','),
        '--rest',
        this.rest.join(','),
        '--app-servers',
        this.sites.join(','),
        '--people',
        JSON.stringify(people),
      ];
      this.drivers.push(
        new Actor({
          name,
          program: program('loadtest', 'proofs', 'crash', 'driver.ts'),
          args,
          onLife,
          onTold: (told) => onTold(name, told),
        }),
      );
    });
  }

  /** REQUIRES: a gateway. */
  diskOf(actor: Actor): ActorDisk {
    const disk = this.#disks.get(actor);
    if (disk === undefined) throw new Error(`${actor.name} has no disk`);
    return disk;
  }

  get all(): readonly Actor[] {
    return [...this.drivers, ...this.appServers, ...this.gateways];
  }

  get kills(): number {
    return this.all.reduce((sum, { kills }) => sum + kills, 0);
  }

  /** Drivers first, gateways last, each by a regular shutdown. */
  async stop(): Promise<void> {
    for (const actors of [this.drivers, this.appServers, this.gateways]) await Promise.all(actors.map((actor) => actor.stop()));
  }
}
