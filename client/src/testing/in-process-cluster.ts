// A whole cluster in one process: real shards of the core, reached over the local transport. The tests of the client, the gateway and
// the applications use it.

import type { Shard, ShardOptions } from '@claret/core';
import type { Claret } from '../claret.ts';
import { connectForTests, type TestConnectOptions } from '../connect.ts';
import type { Environment } from '../environment/environment.ts';
import { evenTopology } from '../topology/topology.ts';
import { LocalTransport } from '../transport/local.ts';
import { FRAME_BYTES_MAX } from '../values/limits.ts';
import { CalmEnvironment } from './calm-environment.ts';
import { ShardHost } from './shard-host.ts';

/** Of transactions, for tests that say nothing else. */
const PATIENT_MS = 60_000;
/** Shorter than the shortest deadline of what is built on a cluster. */
const STANDSTILL_MS = 1_000;

export interface ClusterOptions {
  shards?: number;
  /** by default one in which not more than a second passes while this process stands still */
  environment?: Environment;
  /** how far the wall clock of a shard is ahead of the environment's; 0 by default */
  clockAheadMs?: (shard: number) => number;
  shardOptions?: Partial<ShardOptions>;
}

export interface InProcessCluster {
  /** Connects a new client. `stop` closes it, if the caller does not. */
  connect(options?: Partial<TestConnectOptions>): Promise<Claret>;
  readonly hosts: readonly ShardHost[];
  /** the shards of the core, by number */
  readonly shards: readonly Shard[];
  readonly transport: LocalTransport;
  /** Discards the shard with its content, and starts it again, empty, with the next incarnation. */
  restart(shard: number): void;
  stop(): Promise<void>;
}

function clockAhead(environment: Environment, aheadMs: number): Environment {
  return {
    wallMs: () => environment.wallMs() + aheadMs,
    civilMs: () => environment.civilMs() + aheadMs,
    monotonicMs: () => environment.monotonicMs(),
    setImmediate: (callback) => environment.setImmediate(callback),
    setTimeout: (callback, delayMs) => environment.setTimeout(callback, delayMs),
    clearTimeout: (timer) => environment.clearTimeout(timer),
    randomBytes: (count) => environment.randomBytes(count),
    random: () => environment.random(),
  };
}

const address = (shard: number): string => `shard-${shard}`;

export async function inProcessCluster(options: ClusterOptions = {}): Promise<InProcessCluster> {
  const count = options.shards ?? 1;
  const environment = options.environment ?? new CalmEnvironment({ stepMs: STANDSTILL_MS, catchesUp: true });
  const hosts: ShardHost[] = [];
  const byAddress = new Map<string, ShardHost>();
  const clients: Claret[] = [];
  const incarnations = new Array<number>(count).fill(0);
  const start = (shard: number) => {
    const shardOptions: ShardOptions = {
      shard,
      shards: count,
      incarnation: ++incarnations[shard]!,
      sessionLeaseMs: 30_000,
      // Long, so that no test loses a warranty to a slow machine.
      warrantyTermMs: 10_000,
      phaseCapMs: 2,
      woundDelayMs: 2,
      woundGraceMs: 20,
      // Long as well: who holds a record in a test may be silent while others wait.
      idleMs: 60_000,
      frameBytesMax: FRAME_BYTES_MAX,
      outputBytesMax: 64 * 1024 * 1024,
      logged: false,
      ...options.shardOptions,
    };
    const aheadMs = options.clockAheadMs?.(shard) ?? 0;
    const own = aheadMs === 0 ? environment : clockAhead(environment, aheadMs);
    hosts[shard] = new ShardHost(shardOptions, own, (number) => hosts[number]);
    byAddress.set(address(shard), hosts[shard]);
  };
  for (let shard = 0; shard < count; shard++) start(shard);
  const addresses = hosts.map((host) => address(host.number));
  const topology = () => evenTopology(addresses);
  const transport = new LocalTransport({ shards: byAddress, topology });
  return {
    hosts,
    get shards() {
      return hosts.map((host) => host.shard);
    },
    transport,
    async connect(connectOptions = {}) {
      const client = await connectForTests({ addresses, transport, environment, timeoutMs: PATIENT_MS, ...connectOptions });
      clients.push(client);
      return client;
    },
    restart(shard) {
      hosts[shard]!.stop();
      start(shard);
    },
    async stop() {
      await Promise.all(clients.map((client) => client.close()));
      for (const host of hosts) host.stop();
    },
  };
}
