// ReplicatedStore: gateways with a replicated log, of which some are standbys, and the three NATS servers of the log. With machines
// (machines.ts) each of these has a server and a gateway.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  NATS_SERVERS,
  READY_PATH,
  configure,
  monitoringUrl,
  natsAddress,
  natsCommand,
  natsServers,
  newToken,
} from '../../../scripts/nats/configuration.js';
import { freePorts } from '../../../scripts/run/ports.js';
import { ensureNatsServer } from '../../../scripts/setup/nats-server.js';
import { Actor } from './actor.ts';
import { ActorClock, clockLibrary, removeTracesOfClock } from './clock.ts';
import { KEEP_MS } from './jobs.ts';
import { MACHINES, type Link, type Machines } from './machines.ts';
import { gatewayCommand, SHARDS, type Serving, type Store } from './store.ts';
import { newestTopology } from './topology.ts';

const PORTS_OF_SERVER = 3;
const PORTS_OF_GATEWAY = 3;
/** Half of the default, so that a round takes half of the time. */
export const OWNER_LEASE_MS = 1_000;
/** A gateway that has lost its shard ends, and a supervisor starts it again. */
const STARTED_AGAIN = /owner_lost|another_writer/;

export interface ReplicatedStoreOptions {
  /** for the data of servers and gateways */
  folder: string;
  /** gateways beside those of the shards */
  standbys: number;
  /** absent: everything runs on this machine */
  machines?: Machines | undefined;
  /** The gateways' wall clocks can be set. */
  clocks: boolean;
  /** overrides the gateways' settings */
  gatewayEnv: NodeJS.ProcessEnv;
  onLife: (pid: number, lives: boolean) => void;
  /** called with each line that a gateway writes */
  onLine: (line: string) => void;
}

export class ReplicatedStore implements Store {
  readonly gateways: readonly Actor[];
  readonly servers: readonly Actor[];
  readonly addresses: readonly string[];
  readonly rest: readonly string[];
  readonly doors: readonly string[];
  readonly token = newToken();
  readonly isReplicated = true;
  readonly #options: ReplicatedStoreOptions;
  readonly #links = new Map<Actor, Link>();
  readonly #clocks = new Map<Actor, ActorClock>();

  private constructor(options: ReplicatedStoreOptions, ports: number[], natsServer: string) {
    const { machines } = options;
    this.#options = options;
    const natsToken = newToken();
    const natsPorts = Array.from({ length: NATS_SERVERS }, () => {
      const [client, cluster, http] = ports.splice(0, PORTS_OF_SERVER) as [number, number, number];
      return { client, cluster, http };
    });
    const servers = natsServers(options.folder, natsPorts, machines?.hosts);
    configure(servers, natsToken);
    this.servers = servers.map((server, number) => {
      const { command, args } = natsCommand(natsServer, server);
      const readyAt = `${monitoringUrl(server)}${READY_PATH}`;
      return this.#actor(number, { name: `NATS server ${number}`, command: [command, ...args], readyAt, onLife: options.onLife });
    });
    const hostOf = (number: number) => machines?.hosts[number % MACHINES] ?? '127.0.0.1';
    const members = Array.from({ length: SHARDS + options.standbys }, (_, number) => {
      const [grpc, rest, resp] = ports.splice(0, PORTS_OF_GATEWAY).map((port) => `${hostOf(number)}:${port}`);
      return { grpc: grpc!, rest: rest!, resp: resp! };
    });
    this.addresses = members.map(({ grpc }) => grpc);
    this.rest = members.map(({ rest }) => `http://${rest}`);
    this.doors = members.map(({ resp }) => resp);
    const places = members.map(({ grpc, rest, resp }) => `${grpc}/${rest}/${resp}`);
    const nats = servers.map(natsAddress).join(',');
    this.gateways = places.map((own, number) => {
      const place = number < SHARDS ? ['--shard', String(number)] : ['--standby', own];
      const log = ['--log', 'jetstream', '--nats', nats, '--owner-lease-ms', String(OWNER_LEASE_MS), '--log-level', 'info'];
      const clock = options.clocks ? new ActorClock(clockLibrary(), join(options.folder, `gateway-${number}.clock`)) : null;
      const actor = this.#actor(number, {
        name: `gateway ${number}`,
        command: [...gatewayCommand(place, places.slice(0, SHARDS).join(','), this.#dataDir(number), KEEP_MS), ...log],
        readyAt: `${this.rest[number]}/readyz`,
        env: { ...options.gatewayEnv, CLARET_TOKEN: this.token, CLARET_NATS_TOKEN: natsToken, ...clock?.env() },
        startedAgain: STARTED_AGAIN,
        onLife(pid, lives) {
          if (clock !== null && !lives) removeTracesOfClock(pid);
          options.onLife(pid, lives);
        },
        onLine: options.onLine,
      });
      if (clock !== null) this.#clocks.set(actor, clock);
      return actor;
    });
  }

  static async on(options: ReplicatedStoreOptions): Promise<ReplicatedStore> {
    const ports = await freePorts(NATS_SERVERS * PORTS_OF_SERVER + (SHARDS + options.standbys) * PORTS_OF_GATEWAY);
    return new ReplicatedStore(options, ports, await ensureNatsServer());
  }

  /** Runs on that machine. */
  #actor(number: number, options: ConstructorParameters<typeof Actor>[0]): Actor {
    const { machines } = this.#options;
    if (machines === undefined) return new Actor(options);
    const actor = new Actor({ ...options, command: [...machines.command(number % MACHINES), ...options.command] });
    this.#links.set(actor, machines.links[number % MACHINES]!);
    return actor;
  }

  #dataDir(number: number): string {
    return join(this.#options.folder, `gateway-${number}`);
  }

  async serving(): Promise<readonly Serving[]> {
    const { shards } = await newestTopology(this.rest);
    return shards.map(({ rest_address: address }) => {
      const rest = `http://${address}`;
      return { rest, actor: this.gateways[this.rest.indexOf(rest)]! };
    });
  }

  diskOf(): undefined {}

  clockOf(actor: Actor): ActorClock | undefined {
    return this.#clocks.get(actor);
  }

  linkOf(actor: Actor): Link | undefined {
    return this.#links.get(actor);
  }

  forget(): void {
    for (const number of this.gateways.keys()) rmSync(this.#dataDir(number), { recursive: true, force: true });
  }
}
