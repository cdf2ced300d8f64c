// Real gateways for tests, in the process of the test: each listens on free ports and has its own data directory.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, credentials } from '@grpc/grpc-js';
import { freePorts } from '../../../scripts/run/ports.js';
import { slotOf } from '@claret/core';
import { buildGateway } from '../app.ts';
import type { Gateway } from '../app.ts';
import { DEFAULTS } from '../config.ts';
import type { Config } from '../config.ts';
import { parseCluster } from '../cluster.ts';

export interface TestCluster {
  gateways: Gateway[];
  /** Returns a key that contains `name` and belongs to `shard`. */
  keyOn(shard: number, name: string): string;
  /** Opens a gRPC channel to that shard, which is closed with the cluster. */
  grpcClient(shard: number): Client;
  /** Closes that gateway and starts it again; without durability its data is lost. */
  restart(shard: number, overrides?: Partial<Config>): Promise<void>;
  /**
   * Resolves once each gateway gets an answer from each other one. For tests that ask only once after a restart: a connection from before
   * it may still be the one that is used.
   */
  untilConnected(): Promise<void>;
  /** Starts a further shard, which owns no slots. */
  join(): Promise<void>;
  close(): Promise<void>;
}

export interface TestClusterOptions extends Partial<Config> {
  /** Each gateway has a Redis door. */
  doors?: boolean;
}

/** A client or a holder of records that stands still for some seconds, as processes do on a busy machine, is not given up. */
const PATIENT = { sessionLeaseMs: 60_000, idleMs: 60_000 };
const LOOK_MS = 10;

/** The default durability is none. `dataDir`: the parent of shard-0, shard-1, …, which stay; without it they are removed by `close`. */
export async function startCluster(
  shards: number,
  { doors = false, ...overrides }: TestClusterOptions = {},
  dataDir?: string,
): Promise<TestCluster> {
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'claret-gateway-'));
  const place = async () => (await freePorts(doors ? 3 : 2)).map((port) => `127.0.0.1:${port}`).join('/');
  const pairs: string[] = [];
  while (pairs.length < shards) pairs.push(await place());
  const gateways: Gateway[] = [];
  const start = async (shard: number, more: Partial<Config> = {}) => {
    const config = {
      ...DEFAULTS,
      logLevel: 'silent' as const,
      durability: 'none' as const,
      drainMs: 100,
      ...PATIENT,
      ...overrides,
      shard,
      cluster: pairs.join(','),
      dealtShards: shards,
      dataDir: join(folder, `shard-${shard}`),
      ...more,
    };
    gateways[shard] = await buildGateway(config);
    await gateways[shard].listen();
  };
  for (let shard = 0; shard < shards; shard++) await start(shard);
  const clients: Client[] = [];
  return {
    gateways,
    keyOn: (shard, name) => keyOn(shard, shards, name),
    grpcClient(shard) {
      const client = new Client(gateways[shard]!.member.grpc, credentials.createInsecure());
      clients.push(client);
      return client;
    },
    async restart(shard, more) {
      await gateways[shard]!.close();
      await start(shard, more);
    },
    async untilConnected() {
      const token = overrides.adminToken || overrides.token;
      const headers = token ? { authorization: `Bearer ${token}` } : {};
      for (const { rest } of gateways) {
        const errors = async () => {
          const answer = (await rest.inject({ url: '/v1/admin/conditions', headers })).json<{ shards: { error?: string }[] }>();
          return answer.shards.filter(({ error }) => error !== undefined);
        };
        while ((await errors()).length > 0) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
    },
    async join() {
      pairs.push(await place());
      await start(pairs.length - 1);
    },
    async close() {
      for (const client of clients) client.close();
      await Promise.all(gateways.map((gateway) => gateway.close()));
      if (dataDir === undefined) rmSync(folder, { recursive: true });
    },
  };
}

export function keyOn(shard: number, shards: number, name: string): string {
  const members = parseCluster(Array.from({ length: shards }, (_, i) => `h:${i + 1}/h:${i + 1001}`).join(','));
  const { first, last } = members[shard]!.slots[0]!;
  for (let i = 0; ; i++) {
    const key = `${name}-${i}`;
    const slot = slotOf(key);
    if (slot >= first && slot <= last) return key;
  }
}
