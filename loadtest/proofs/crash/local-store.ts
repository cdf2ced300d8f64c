// LocalStore: two gateways, each with the log of its shard on a disk of its own.

import { join } from 'node:path';
import { Actor } from './actor.ts';
import { ActorClock, clockLibrary, removeTracesOfClock } from './clock.ts';
import { ActorDisk, DISKS, type Disk } from './disk.ts';
import { buildFaults } from './faults.ts';
import { KEEP_MS } from './jobs.ts';
import { gatewayCommand, SHARDS, type Serving, type Store } from './store.ts';
import { freePorts } from '../../../scripts/run/ports.js';

export interface LocalStoreOptions {
  /** for the gateways' data and disks */
  folder: string;
  disk: Disk;
  /** The gateways' wall clocks can be set. */
  clocks?: boolean;
  /** overrides the gateways' settings */
  gatewayEnv: NodeJS.ProcessEnv;
  onLife: (pid: number, lives: boolean) => void;
}

export class LocalStore implements Store {
  readonly gateways: readonly Actor[];
  readonly servers = [];
  readonly addresses: readonly string[];
  readonly rest: readonly string[];
  readonly doors: readonly string[];
  readonly token = '';
  readonly isReplicated = false;
  readonly #disks = new Map<Actor, ActorDisk>();
  readonly #clocks = new Map<Actor, ActorClock>();

  private constructor(options: LocalStoreOptions, ports: number[], faults: string) {
    const { folder, disk, clocks = false, gatewayEnv } = options;
    const at = (number: number) => `127.0.0.1:${ports[number]}`;
    const members = Array.from({ length: SHARDS }, (_, shard) => ({
      grpc: at(3 * shard),
      rest: at(3 * shard + 1),
      resp: at(3 * shard + 2),
    }));
    this.addresses = members.map(({ grpc }) => grpc);
    this.rest = members.map(({ rest }) => `http://${rest}`);
    this.doors = members.map(({ resp }) => resp);
    const cluster = members.map(({ grpc, rest, resp }) => `${grpc}/${rest}/${resp}`).join(',');
    this.gateways = members.map(({ rest }, shard) => {
      const own = new ActorDisk(faults, join(folder, `shard-${shard}`), DISKS[disk]);
      const clock = clocks ? new ActorClock(clockLibrary(), join(folder, `shard-${shard}.clock`)) : null;
      const actor = new Actor({
        name: `gateway ${shard}`,
        command: [...gatewayCommand(['--shard', String(shard)], cluster, own.dir, KEEP_MS), '--log-level', 'warn'],
        readyAt: `http://${rest}/readyz`,
        env: { ...gatewayEnv, ...own.env, ...clock?.env(own.env['LD_PRELOAD']) },
        onLife(pid, lives) {
          if (clock !== null && !lives) removeTracesOfClock(pid);
          options.onLife(pid, lives);
        },
      });
      this.#disks.set(actor, own);
      if (clock !== null) this.#clocks.set(actor, clock);
      return actor;
    });
  }

  static async on(options: LocalStoreOptions): Promise<LocalStore> {
    return new LocalStore(options, await freePorts(3 * SHARDS), await buildFaults());
  }

  async serving(): Promise<readonly Serving[]> {
    return this.gateways.map((actor, shard) => ({ actor, rest: this.rest[shard]! }));
  }

  diskOf(actor: Actor): ActorDisk | undefined {
    return this.#disks.get(actor);
  }

  linkOf(): undefined {}

  clockOf(actor: Actor): ActorClock | undefined {
    return this.#clocks.get(actor);
  }

  forget(): void {}
}
