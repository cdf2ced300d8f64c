// Target: the cluster of a storm, a new one or one that is running.

import { startCluster, type Cluster, type Death } from '../../../../scripts/cluster.js';
import { Problem } from '../../../../scripts/run/problem.js';
import type { Conditions } from '@claret/client/telemetry';
import type { ScenarioNeeds } from '../storm.ts';
import type { Watched } from './cores.ts';
import { listenerOf } from './listener.ts';
import type { Options } from './options.ts';
import { authorization } from './token.ts';

export interface Target {
  /** base URLs of app servers, without a trailing slash; null: the scenario does not use that site, or it is absent */
  auctions: string[] | null;
  timelines: string[] | null;
  /** in shard order */
  gateways: { rest: string; grpc: string }[];
  dashboard: string | null;
  /** its processes, if they are on this machine */
  watched: Watched[];
  /** Starts a further gateway, whose shard owns no slots: the last of `gateways`, once it is ready. Null: the cluster is not the test's own. */
  joinShard: (() => Promise<void>) | null;
  /** Stops an own cluster; leaves others running. */
  close(): Promise<void>;
}

/** People on the timelines of an own cluster, 2^scale: its most followed person has a few hundred followers. */
const GRAPH_SCALE = 10;

/** All visitors of a storm have one address. */
const REGISTRATIONS_PER_HOUR = 1_000_000;

/** A fresh cluster with the small data sets of the sites that the scenario needs. */
export async function ownTarget(
  options: Pick<Options, 'shards' | 'servers' | 'seed' | 'join_shard'>,
  needs: ScenarioNeeds,
  watch: { onStarting: (cluster: Cluster) => void; onDeath: (death: Death) => void },
): Promise<Target> {
  const [auctions, timelines] = (['auctions', 'timelines'] as const).map((site) => needs.sites.includes(site));
  const cluster = await startCluster({
    shards: options.shards,
    seed: options.seed,
    dashboard: true,
    ...(options.join_shard ? { durability: 'sync' as const } : {}), // slots move through logs
    ...watch,
    registrationsPerHour: REGISTRATIONS_PER_HOUR,
    ...(auctions ? { auctionServers: options.servers, profile: 'small' as const } : {}),
    ...(timelines ? { timelineServers: options.servers, graphScale: GRAPH_SCALE } : {}),
  });
  const named = (name: string, servers: readonly { pid: number }[]) => servers.map(({ pid }, i) => ({ name: `${name} ${i}`, pid }));
  const target: Target = {
    auctions: auctions ? cluster.auctions.map(({ url }) => url) : null,
    timelines: timelines ? cluster.timelines.map(({ url }) => url) : null,
    gateways: cluster.gateways.map(({ rest, grpc }) => ({ rest, grpc })),
    dashboard: cluster.dashboard,
    watched: [...named('gateway', cluster.gateways), ...named('auctions', cluster.auctions), ...named('timelines', cluster.timelines)],
    joinShard: async () => {
      await cluster.joinShard();
      const { rest, grpc, pid } = cluster.gateways.at(-1)!;
      target.watched.push({ name: `gateway ${target.gateways.length}`, pid });
      target.gateways.push({ rest, grpc });
    },
    close: () => cluster.stop(),
  };
  return target;
}

const ANSWER_WITHIN_MS = 5_000;

async function getJson(url: string, headers: Record<string, string> = {}): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).catch((error: Error) => {
    throw new Problem(`${url} does not answer: ${(error.cause as Error | undefined)?.message ?? error.message}`);
  });
  return { status: answer.status, body: await answer.json().catch(() => null) };
}

/** A running site reports which site it is, and its dashboard's address leads to its cluster. */
export async function targetAt(site: string, needs: ScenarioNeeds): Promise<Target> {
  const session = await getJson(`${site}/api/session`);
  const dashboard = (session.body as { dashboard_url?: unknown } | null)?.dashboard_url;
  if (session.status !== 200 || dashboard === undefined)
    throw new Problem(`${site} is none of Claret's sites: /api/session answered ${session.status}`);
  if (typeof dashboard !== 'string')
    throw new Problem(`${site} does not know its cluster: start it with --dashboard, the address of a gateway`);
  const kind = (await getJson(`${site}/api/catalogue`)).status === 200 ? 'auctions' : 'timelines';
  if (!needs.sites.includes(kind))
    throw new Problem(`${site} is the site of the ${kind}; this scenario storms the ${needs.sites.join(' and the ')}`);
  const gateway = new URL(dashboard).origin;
  const topology = await getJson(`${gateway}/v1/topology`);
  const shards = (topology.body as { shards?: { address: string; rest_address: string }[] } | null)?.shards;
  if (topology.status !== 200 || shards === undefined)
    throw new Problem(`${gateway} is no gateway: /v1/topology answered ${topology.status}`);
  const gateways = shards.map(({ address, rest_address }) => ({ grpc: address, rest: `http://${rest_address}` }));
  const listeners = [...gateways.map(({ rest }, i) => ({ name: `gateway ${i}`, url: rest })), { name: `${kind} 0`, url: site }];
  return {
    auctions: kind === 'auctions' ? [site] : null,
    timelines: kind === 'timelines' ? [site] : null,
    gateways,
    dashboard,
    watched: listeners.flatMap(({ name, url }) => {
      const pid = listenerOf(new URL(url));
      return pid === null ? [] : [{ name, pid }];
    }),
    joinShard: null,
    close: async () => {},
  };
}

const conditionsUrl = (target: Target) => `${target.gateways[0]!.rest}/v1/admin/conditions`;

export async function conditionsOf(target: Target): Promise<Conditions> {
  const { status, body } = await getJson(conditionsUrl(target), authorization);
  if (status !== 200) throw new Problem(`the conditions cannot be read: ${status}`);
  const { locks, phasing, combining } = body as Conditions;
  return { locks, phasing, combining };
}

/** Sets the conditions of the whole cluster; throws if a shard did not take them. */
export async function setConditions(target: Target, { locks, phasing, combining }: Conditions): Promise<void> {
  const answer = await fetch(conditionsUrl(target), {
    method: 'PUT',
    headers: { 'content-type': 'application/json', ...authorization },
    body: JSON.stringify({ locks, phasing, combining }),
  });
  if (!answer.ok) throw new Problem(`the conditions were not set: ${answer.status} ${await answer.text()}`);
}
