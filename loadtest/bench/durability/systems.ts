// All systems of a run. They are up side by side for as long as the work lasts, each with its data in a folder of its own and a
// driver process for one workload at a time. A system that does not have its turn is idle.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterOptions } from '../../../scripts/cluster.js';
import type { Point, Sending } from '../paper/points.ts';
import type { Answer, CellAnswer, LoadQuestion, Question } from '../peers/question.ts';
import { withRedis, type Appending } from '../peers/redis-server.ts';
import type { WayName } from '../peers/ways.ts';
import { DriverProcess } from '../../kit/driver-process.ts';
import { pollUsFor } from '../../kit/polling.ts';
import { withCluster } from '../../kit/with-cluster.ts';
import type { System, SystemName, WorkloadName } from './report.ts';

/**
 * How a transaction travels. On Redis it is a script, which runs within the server. The like of that is one-shot, where the workload has it: the
 * sites' transactions decide on what they read.
 */
export function wayOf(system: SystemName, workload: WorkloadName, sending: Sending): WayName {
  if (system === 'redis') return 'redis Lua';
  return workload === 'rawmix' ? `claret ${sending}` : 'claret interactive';
}

export interface Ground {
  shards: number;
  /** as the flag says it, in microseconds */
  poll: string | undefined;
  /** where all of them keep their data */
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

/** Starts the systems and calls `work` with them, in the order given. */
export function withSystems(systems: readonly System[], ground: Ground, work: (running: Running[]) => Promise<void>): Promise<void> {
  const [next, ...rest] = systems;
  if (next === undefined) return work([]);
  const withNext = (pids: number[], at: LoadQuestion['at']) =>
    withSystems(rest, ground, (running) => work([{ ...next, pids, at }, ...running]));
  const folder = join(ground.folder, `${next.system}-${next.durability}`);
  mkdirSync(folder, { recursive: true });
  if (next.system === 'redis') return withRedis(({ port, pid }) => withNext([pid], { port }), next.durability as Appending, folder);
  return withCluster(
    ground.shards,
    { CLARET_POLL_MICROSECONDS: String(pollUsOf(next, ground)) },
    async ({ gateways }) => {
      await expectDurability(gateways[0]!.rest, next.durability);
      await withNext(
        gateways.map(({ pid }) => pid),
        { addresses: gateways.map(({ grpc }) => grpc) },
      );
    },
    { dataDir: folder, durability: next.durability as NonNullable<ClusterOptions['durability']> },
  );
}

const pollUsOf = ({ system, durability }: System, { shards, poll }: Pick<Ground, 'shards' | 'poll'>): number =>
  pollUsFor(shards, poll, system === 'claret' && durability !== 'none');

/** What is measured must be what the row says. */
async function expectDurability(rest: string, wanted: string): Promise<void> {
  const { durability } = (await (await fetch(`${rest}/v1/topology`)).json()) as { durability: string };
  if (durability !== wanted) throw new Error(`the cluster's durability is ${durability}, not ${wanted}`);
}

/** A driver for each system, with the workload's data loaded, as long as the work lasts. */
export async function withDrivers(
  running: readonly Running[],
  { shards, seed, rubis_items, poll, sending }: Ground,
  workload: WorkloadName,
  point: Point,
  work: (runCell: (at: number, clients: number, span: Span) => Promise<CellAnswer>) => Promise<void>,
): Promise<void> {
  const drivers: Driver[] = running.map(() => new DriverProcess(new URL('../peers/driver.ts', import.meta.url), []));
  try {
    // One after the other: none is loaded while another takes the processor.
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
