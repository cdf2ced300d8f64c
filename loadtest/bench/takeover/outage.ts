// Blows to the NATS servers of the logs, alone or together with the owner of a shard: how long no transaction commits on each shard. What JetStream
// takes by itself is told apart: a server needs some time to start, and its streams elect their leaders, which takes several seconds.

import type { Cluster } from '../../../scripts/cluster.js';
import { median } from '../../kit/statistics.ts';
import { table } from '../../kit/table.ts';
import type { Gateways, LogLine } from './cluster.ts';

/** What a NATS server writes. */
const RUNS = /Server is ready/;
const ELECTED = /new stream leader for '[^']*(?:KV_[^']*|-(?<shard>\d+)-(?:log|checkpoint))'/;

/** Moments, in ms since the Unix epoch. */
export interface Outage {
  killed: number;
  /** two of the three servers run, from now on */
  twoRun: number;
  shards: {
    lostOwner: boolean;
    /** the last of the elections in the streams on which the first commit depended; two servers run by then */
    elected: number;
    /** the first transaction that began after the blow has committed, for its client */
    committed: number;
  }[];
}

/** Kills them; a supervisor starts them again. */
export function strike(cluster: Cluster, servers: readonly number[], owner: number | undefined): number {
  const killed = Date.now();
  for (const server of servers) process.kill(cluster.natsServers[server]!.pid!, 'SIGKILL');
  if (owner !== undefined) process.kill(owner, 'SIGKILL');
  return killed;
}

/** `committed`: by shard; `ownerless`: the shard whose owner was killed, too. */
export function outageIn(
  gateways: Gateways,
  killed: number,
  servers: number,
  committed: readonly number[],
  ownerless: number | undefined,
): Outage {
  const lines = gateways.serverLinesSince(killed);
  const ready = lines.filter(({ msg }) => RUNS.test(msg)).map(({ time }) => time);
  const twoRun = servers < 2 ? killed : (ready[servers - 2] ?? killed);
  const shards = committed.map((at, shard) => {
    const mattered = lines.filter((line) => line.time <= at && matters(line, shard)).map(({ time }) => time);
    return { lostOwner: shard === ownerless, elected: Math.max(twoRun, ...mattered), committed: at };
  });
  return { killed, twoRun, shards };
}

function matters({ msg }: LogLine, shard: number): boolean {
  const found = ELECTED.exec(msg);
  return found !== null && (found.groups?.['shard'] ?? String(shard)) === String(shard);
}

export function outageTable(outages: readonly Outage[]): string {
  const of = (lostOwner: boolean) =>
    outages.flatMap(({ killed, twoRun, shards }) =>
      shards.filter((shard) => shard.lostOwner === lostOwner).map((shard) => ({ killed, twoRun, ...shard })),
    );
  const rows = [false, true].flatMap((lostOwner) => {
    const all = of(lostOwner);
    const whose = lostOwner ? 'owner killed' : 'owner lives';
    const row = (what: string, took: number[]) => [`${whose}: ${what}`, ...[median(took), Math.min(...took), Math.max(...took)].map(inMs)];
    return all.length === 0
      ? []
      : [
          row(
            'from the blow until two servers run',
            all.map(({ killed, twoRun }) => twoRun - killed),
          ),
          row(
            'then until the last election that it needs',
            all.map(({ twoRun, elected }) => elected - twoRun),
          ),
          row(
            'then until a transaction commits',
            all.map(({ elected, committed }) => committed - elected),
          ),
          row(
            'together',
            all.map(({ killed, committed }) => committed - killed),
          ),
        ];
  });
  return table(['shard', 'median ms', 'shortest ms', 'longest ms'], rows);
}

const inMs = (ms: number): string => Math.round(ms).toLocaleString('en');
