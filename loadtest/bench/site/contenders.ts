// The contenders: Claret's sites with some number of shards, and what people would build instead. Each is addresses and processes, and no more.

import { startCluster, type Death } from '../../../scripts/cluster.js';
import { startPostgresPeer, startRedisPeer } from '../../peers/peer.ts';
import { HOW_TO_INSTALL as POSTGRES_MISSING, postgresVersion } from '../../peers/postgres-server.ts';
import { HOW_TO_INSTALL as REDIS_MISSING, redisVersion } from '../../kit/redis-server.ts';
import { threadsCpuUsOf } from '../../kit/cpu.ts';
import type { Mix } from './question.ts';

export const NAMES = ['claret', 'redis', 'postgres'] as const;
export type Name = (typeof NAMES)[number];

export const DURABILITIES = ['none', 'sync'] as const;
export type Durability = (typeof DURABILITIES)[number];

export interface Plan {
  name: Name;
  /** null: it has none */
  shards: number | null;
  servers: number;
  durability: Durability;
}

export interface Process {
  name: string;
  pid: number;
}

export interface Contender {
  plan: Plan;
  /** of the app servers; a site that no mix needs has none */
  auctions: readonly string[];
  timelines: readonly string[];
  /** all there are now */
  processes(): Process[];
  stop(): Promise<void>;
}

/** How the names of app servers begin. */
const APP_SERVER = 'app server';
/** All visitors have one address. */
const REGISTRATIONS_PER_HOUR = 1_000_000;

export const urlsFor = ({ auctions, timelines }: Contender, mix: Mix): readonly string[] => (mix === 'post-heavy' ? timelines : auctions);

/** Why a contender cannot be started here; null: it can. */
export function whyNot(name: Name): string | null {
  if (name === 'redis') return redisVersion() === null ? REDIS_MISSING : null;
  return name === 'postgres' && postgresVersion() === null ? POSTGRES_MISSING : null;
}

/** REQUIRES: whyNot is null. */
export async function startContender(plan: Plan, mixes: readonly Mix[]): Promise<Contender> {
  if (plan.name === 'claret') return startClaret(plan, mixes);
  const options = { appServers: plan.servers, durability: plan.durability };
  const { urls, processes, stop } = await (plan.name === 'redis' ? startRedisPeer(options) : startPostgresPeer(options));
  return { plan, auctions: urls, timelines: [], processes, stop };
}

async function startClaret(plan: Plan, mixes: readonly Mix[]): Promise<Contender> {
  const { shards, servers, durability } = plan;
  const cluster = await startCluster({
    shards: shards!,
    auctionServers: mixes.some((mix) => mix !== 'post-heavy') ? servers : 0,
    timelineServers: mixes.includes('post-heavy') ? servers : 0,
    durability,
    registrationsPerHour: REGISTRATIONS_PER_HOUR,
    onDeath: ({ name, code, signal, lastLines }: Death) => console.error(`${name} has ended (${signal ?? code}):\n${lastLines.join('\n')}`),
  });
  const named = (name: string, all: readonly { pid: number }[]) => all.map(({ pid }, i) => ({ name: `${name} ${i + 1}`, pid }));
  return {
    plan,
    auctions: cluster.auctions.map(({ url }) => url),
    timelines: cluster.timelines.map(({ url }) => url),
    processes: () => [...named('gateway', cluster.gateways), ...named(APP_SERVER, [...cluster.auctions, ...cluster.timelines])],
    stop: () => cluster.stop(),
  };
}

export interface CpuUs {
  app: number;
  store: number;
}

type CpuNow = ReadonlyMap<number, { part: keyof CpuUs; us: number }>;

/** The CPU time of each process up to now. */
export function cpuNow(contender: Contender): CpuNow {
  const now = new Map<number, { part: keyof CpuUs; us: number }>();
  for (const { name, pid } of contender.processes()) {
    try {
      now.set(pid, { part: name.startsWith(APP_SERVER) ? 'app' : 'store', us: threadsCpuUsOf(pid) });
    } catch {
      // It has ended meanwhile, as a worker of PostgreSQL may.
    }
  }
  return now;
}

/** A process that has begun in between counts from its beginning; one that has ended does not count. */
export function cpuBetween(before: CpuNow, after: CpuNow): CpuUs {
  const sum: CpuUs = { app: 0, store: 0 };
  for (const [pid, { part, us }] of after) sum[part] += us - (before.get(pid)?.us ?? 0);
  return sum;
}
