// What people build instead of the auction site: the same routes (app.ts) in Fastify, with Redis or PostgreSQL as the store. A peer is a
// database and any number of app servers, each a process; all of it is stopped by `stop`, and ends with this process.
//
// Durability `none`: an answered bid is in memory only. `sync`: it is on the disk (Redis: appendfsync always; PostgreSQL: fsync and
// synchronous commit).
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { HOW_TO_INSTALL, redisVersion, withRedis, type RedisServer } from '../kit/redis-server.ts';
import { startPostgres } from './postgres-server.ts';
import type { Isolation } from './postgres-store.ts';
import type { AuctionStore } from './store.ts';
import { connectTo, type StoreAddress } from './stores.ts';

export type Durability = 'none' | 'sync';

export interface Peer {
  name: string;
  /** of the app servers */
  urls: string[];
  /** app servers and database, with PostgreSQL's own processes as they are now */
  processes(): { name: string; pid: number }[];
  /** A connection of its own to the database, to load data: people (visitors.ts, newVisitor) and auctions. */
  store: AuctionStore;
  /** also more than once */
  stop(): Promise<void>;
}

type Options = { appServers: number; durability: Durability };
type Database = { pid: number; stop: () => Promise<void> };

export async function startRedisPeer({ appServers, durability }: Options): Promise<Peer> {
  if (redisVersion() === null) throw new Error(HOW_TO_INSTALL);
  const redis = await startRedis(durability);
  const at: StoreAddress = { store: 'redis', address: `redis://127.0.0.1:${redis.port}`, isolation: 'serializable' };
  return withAppServers(redis, at, appServers, () => [{ name: 'redis-server', pid: redis.pid }]);
}

/** `isolation`: of bids (postgres-store.ts) */
export async function startPostgresPeer({
  appServers,
  durability,
  isolation = 'serializable',
}: Options & { isolation?: Isolation }): Promise<Peer> {
  const postgres = await startPostgres(durability);
  return withAppServers(postgres, { store: 'postgres', address: postgres.url, isolation }, appServers, () =>
    [postgres.pid, ...childrenOf(postgres.pid)].map((pid) => ({ name: 'postgres', pid })),
  );
}

async function withAppServers(
  database: Database,
  at: StoreAddress,
  count: number,
  databaseProcesses: () => { name: string; pid: number }[],
): Promise<Peer> {
  const servers: ChildProcess[] = [];
  let store: AuctionStore | null = null;
  let stopped: Promise<void> | null = null;
  const stop = (): Promise<void> => (stopped ??= Promise.all([...servers.map(ended), store?.close()]).then(() => database.stop()));
  try {
    store = await connectTo(at);
    const urls = await Promise.all(
      Array.from({ length: count }, () => {
        const server = startAppServer(at);
        servers.push(server);
        return urlOf(server);
      }),
    );
    const processes = () => [...servers.map(({ pid }, i) => ({ name: `app server ${i + 1}`, pid: pid! })), ...databaseProcesses()];
    return { name: at.store, urls, processes, store, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startAppServer({ store, address, isolation }: StoreAddress): ChildProcess {
  const flags = ['--store', store, '--address', address, '--isolation', isolation];
  const env = { ...process.env, NODE_ENV: 'production' };
  // It ends when its standard input does, and so with this process.
  return spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...flags], { stdio: ['pipe', 'pipe', 'inherit'], env });
}

async function urlOf(server: ChildProcess): Promise<string> {
  for await (const line of createInterface(server.stdout!)) return line;
  throw new Error('an app server of a peer did not come up');
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const gone = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await gone;
}

/** `withRedis` with a beginning and an end instead of a work in between. */
async function startRedis(durability: Durability): Promise<RedisServer & Database> {
  const end = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<RedisServer>();
  const over = withRedis(
    (redis) => {
      begun.resolve(redis);
      return end.promise;
    },
    durability === 'sync' ? 'always' : 'none',
  );
  over.catch(begun.reject);
  const redis = await begun.promise;
  return {
    ...redis,
    stop: () => {
      end.resolve();
      return over;
    },
  };
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}
