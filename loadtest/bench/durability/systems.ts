// All systems of a run. They run in parallel during the work, each with its data in its own folder and a driver process for one
// workload at a time. A system is idle while it is not its turn.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterOptions } from '../../../scripts/cluster.js';
import type { Point, Sending } from '../paper/points.ts';
import type { Answer, CellAnswer, LoadQuestion, Question } from '../peers/question.ts';
import { withRedis, type Appending } from '../../kit/redis-server.ts';
import type { WayName } from '../peers/ways.ts';
import { DriverProcess } from '../../kit/driver-process.ts';
import { pollUsFor } from '../../kit/polling.ts';
import { withCluster } from '../../kit/with-cluster.ts';
import type { System, SystemName, WorkloadName } from './report.ts';

/**
 * How a transaction is sent. On Redis it is a script, which runs within the server. Claret's counterpart is one-shot, if the
 * workload has it: the sites' transactions decide on what they read.
 */
export function wayOf(system: SystemName, workload: WorkloadName, sending: Sending): WayName {
  if (system === 'redis') return 'redis Lua';
  return workload === 'rawmix' ? `claret ${sending}` : 'claret interactive';
}

export interface Environment {
  shards: number;
  /** the flag's value, in microseconds */
  poll: string | undefined;
  /** the folder below which all systems keep their data */
  folder: string;
  seed: number;
  rubis_items: number;
  sending: Sending;
}

export interface Running extends System {
  pids: number[];
  at: LoadQuestion['at'];
}

type Driver = DriverProcess<Question, Answer>;

/** Starts the systems and calls `work` with them, in the given order. */
export function withSystems(
  systems: readonly System[],
  environment: Environment,
  work: (running: Running[]) => Promise<void>,
): Promise<void> {
  const [next, ...rest] = systems;
  if (next === undefined) return work([]);
  const withNext = (pids: number[], at: LoadQuestion['at']) =>
    withSystems(rest, environment, (running) => work([{ ...next, pids, at }, ...running]));
  const folder = join(environment.folder, `${next.system}-${next.durability}`);
  mkdirSync(folder, { recursive: true });
  if (next.system === 'redis') return withRedis(({ port, pid }) => withNext([pid], { port }), next.durability as Appending, folder);
  const isReplicated = next.durability === 'jetstream';
  const durability = (isReplicated ? 'sync' : next.durability) as NonNullable<ClusterOptions['durability']>;
  // The processor time of a replicated row is that of its gateways alone, without its three NATS servers.
  return withCluster(
    environment.shards,
    { CLARET_POLL_MICROSECONDS: String(pollUsOf(next, environment)) },
    async ({ gateways }) => {
      await expectDurability(gateways[0]!.rest, durability, isReplicated);
      await withNext(
        gateways.map(({ pid }) => pid),
        { addresses: gateways.map(({ grpc }) => grpc) },
      );
    },
    { dataDir: folder, durability, ...(isReplicated ? { replicated: { standbys: 0 } } : {}) },
  );
}

const pollUsOf = ({ system, durability }: System, { shards, poll }: Pick<Environment, 'shards' | 'poll'>): number =>
  pollUsFor(shards, poll, system === 'claret' && durability !== 'none');

/** Checks that the cluster has the durability, and the kind of log, that the row states. */
async function expectDurability(rest: string, wanted: string, isReplicated: boolean): Promise<void> {
  const { durability, replicated } = (await (await fetch(`${rest}/v1/topology`)).json()) as { durability: string; replicated: boolean };
  if (replicated !== isReplicated) throw new Error(`the cluster's log is ${replicated ? '' : 'not '}replicated`);
  if (durability !== wanted) throw new Error(`the cluster's durability is ${durability}, not ${wanted}`);
}

/** Starts a driver for each system, with the workload's data loaded, for the time of the work. */
export async function withDrivers(
  running: readonly Running[],
  { shards, seed, rubis_items, poll, sending }: Environment,
  workload: WorkloadName,
  point: Point,
  work: (runCell: (at: number, clients: number, span: Span) => Promise<CellAnswer>) => Promise<void>,
): Promise<void> {
  const drivers: Driver[] = running.map(() => new DriverProcess(new URL('../peers/driver.ts', import.meta.url), []));
  try {
    // One after another, so that none is loaded while another uses the processor.
    for (const [at, driver] of drivers.entries()) await driver.ask({ ask: 'load', at: running[at]!.at, point, seed, rubis_items });
    await work(async (at, clients, { warm_seconds, seconds }) => {
      const { system, durability, pids } = running[at]!;
      const poll_us = pollUsOf({ system, durability }, { shards, poll });
      const answer = await drivers[at]!.ask({
        ask: 'cell',
        way: wayOf(system, workload, sending),
        clients,
        warm_seconds,
        seconds,
        server_pids: pids,
        poll_us,
        pool: 1,
        backoff_ms_max: 0,
      });
      return answer!;
    });
  } finally {
    await Promise.all(drivers.map((driver) => driver.close()));
  }
}

export interface Span {
  warm_seconds: number;
  seconds: number;
}
