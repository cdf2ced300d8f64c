// A world for stories about warranties: clients that rely on them, shards, and ways between them, in simulated time. Clients freeze, ways are
// cut, sessions break.

import type { Claret } from '../claret.ts';
import { connectForTests } from '../connect.ts';
import { evenTopology } from '../topology/topology.ts';
import { LocalTransport } from '../transport/local.ts';
import { NodeEnvironment } from './node-environment.ts';
import { randomFrom, type Random } from './random.ts';
import { SeededEnvironment } from './seeded-environment.ts';
import { ShardHost } from './shard-host.ts';
import { SlowNetwork } from './slow-network.ts';

export const CLIENTS = 3;

export interface WorldOptions {
  readonly combining: 'off' | 'always';
  readonly warranties: 'off' | 'auto';
  /** sessions break */
  readonly breaks: boolean;
  readonly lengthMs: number;
}

export class WarrantyWorld {
  readonly world: SeededEnvironment;
  readonly random: Random;
  readonly hosts: ShardHost[] = [];
  readonly nodes: NodeEnvironment[] = [];
  readonly clients: Claret[] = [];
  readonly network: SlowNetwork;
  readonly #options: WorldOptions;

  constructor(seed: number, options: WorldOptions) {
    this.world = new SeededEnvironment(seed);
    this.random = randomFrom(seed + 1);
    this.network = new SlowNetwork(this.world, this.random);
    this.#options = options;
  }

  #node(): NodeEnvironment {
    const rate = 1 + 0.0045 * (2 * this.random.next() - 1);
    const node = new NodeEnvironment(this.world, rate, this.random.below(2_000));
    this.nodes.push(node);
    return node;
  }

  async start(): Promise<void> {
    const shardNodes = [0, 1].map(() => this.#node());
    for (const shard of [0, 1]) {
      const options = {
        shard,
        shards: 2,
        incarnation: 1,
        sessionLeaseMs: 5_000,
        warrantyTermMs: 1_000,
        phaseCapMs: 2,
        woundDelayMs: 1,
        // An attempt that is ended while its body runs might see half of a transaction, with locks as well.
        woundGraceMs: this.#options.lengthMs,
        idleMs: this.#options.lengthMs,
        frameBytesMax: 4 * 1024 * 1024,
        outputBytesMax: 64 * 1024 * 1024,
        logged: false,
        heatHot: 1,
      };
      const node = shardNodes[shard]!;
      const host = new ShardHost(options, node, (number) => this.hosts[number]);
      host.shard.setConditions(
        {
          locks: 'abstract',
          phasing: true,
          combining: this.#options.combining === 'off' ? 'off' : 'auto',
          warranties: this.#options.warranties,
        },
        node.wallMs(),
        node.monotonicMs(),
      );
      this.hosts.push(host);
    }
    for (let i = 0; i < CLIENTS; i++) {
      const node = this.#node();
      const shards = new Map(
        this.hosts.map((host, shard) => {
          const runs = { here: (run: () => void) => node.run(run), there: (run: () => void) => shardNodes[shard]!.run(run) };
          return [`s${shard}`, this.network.between(`c${i}`, `s${shard}`, host, runs)] as const;
        }),
      );
      const transport = new LocalTransport({ shards, topology: () => evenTopology(['s0', 's1']) });
      const options = { addresses: ['s0'], transport, environment: node, name: `c${i}`, combining: this.#options.combining };
      this.clients.push(await this.world.runUntil(connectForTests(options)));
    }
  }

  get goesOn(): boolean {
    return this.world.monotonicMs() < this.#options.lengthMs;
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.world.setTimeout(() => resolve(), ms));
  }

  /** Freezes clients, cuts ways and breaks sessions. */
  async disturb(): Promise<void> {
    const { random } = this;
    while (this.goesOn) {
      await this.pause(random.below(1_000));
      const forMs = random.pick([5, 50, 500, 1_500]);
      const [client, shard] = [`c${random.below(CLIENTS)}`, `s${random.below(2)}`];
      switch (random.below(5)) {
        case 0:
          this.nodes[2 + random.below(CLIENTS)]!.freeze(forMs);
          break;
        case 1:
          this.network.cut(client, shard, forMs);
          break;
        case 2:
          this.network.cut(shard, client, forMs);
          break;
        case 3:
          if (this.#options.breaks) this.hosts[random.below(2)]!.breakSessions();
          break;
        default:
          if (random.below(4) === 0) this.nodes[random.below(2)]!.freeze(forMs / 5);
      }
    }
  }

  async stop(): Promise<void> {
    await this.world.runUntil(Promise.all(this.clients.map((client) => client.close(0))));
    for (const host of this.hosts) host.stop();
  }
}
