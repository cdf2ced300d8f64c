// The gateways of the benchmark's cluster, with what they log. One that dies is started again, as a supervisor would do, and waits for a shard
// then.

import type { Cluster, ClusterOptions, GatewayAddress } from '../../../scripts/cluster.js';
import { READY_PATH } from '../../../scripts/nats/configuration.js';

export const SHARDS = 2;
const READY_WITHIN_MS = 120_000;
const LOOK_MS = 20;

/** A line of a gateway's log. */
export interface LogLine {
  /** ms since the Unix epoch */
  time: number;
  msg: string;
  [member: string]: unknown;
}

interface Readiness {
  phase?: string;
  follows?: { ready: boolean }[];
}

export class Gateways {
  readonly #lines: LogLine[] = [];
  readonly #serverLines: LogLine[] = [];

  /** Options of the cluster. */
  readonly options: ClusterOptions;

  /** @param awayMs time after which a process that has died is started again */
  constructor(awayMs: number) {
    this.options = {
      replicated: true,
      logLevel: 'info',
      restarts: { deathsMax: Infinity, firstMs: awayMs, longestMs: awayMs },
      onLine: (server, line) => {
        if (server.startsWith('NATS')) this.#serverLines.push({ time: Date.now(), msg: line });
        if (server.startsWith('gateway') && line.startsWith('{')) this.#lines.push(JSON.parse(line) as LogLine);
      },
    };
  }

  /** What all have logged since that moment, in ms since the Unix epoch. */
  linesSince(timeMs: number): LogLine[] {
    return this.#lines.filter(({ time }) => time >= timeMs);
  }

  /** The same of the NATS servers. */
  serverLinesSince(timeMs: number): LogLine[] {
    return this.#serverLines.filter(({ time }) => time >= timeMs);
  }

  /** The owners of the shards, once all servers run and every other gateway has followed all logs. Throws if that takes too long. */
  async owners(cluster: Cluster): Promise<GatewayAddress[]> {
    for (const untilMs = performance.now() + READY_WITHIN_MS; performance.now() < untilMs;) {
      if (await isWhole(cluster)) return cluster.owners();
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    throw new Error(`the cluster was not whole within ${READY_WITHIN_MS / 1_000} s`);
  }
}

async function isWhole({ gateways, natsServers }: Cluster): Promise<boolean> {
  const servers = await Promise.all(natsServers.map(({ monitoring }) => readinessAt(`${monitoring}${READY_PATH}`)));
  const states = await Promise.all(gateways.map(({ rest }) => readinessAt(`${rest}/readyz`)));
  const standbys = states.filter((state) => state?.phase === 'standby');
  if (servers.includes(null) || states.includes(null) || standbys.length !== gateways.length - SHARDS) return false;
  return standbys.every((state) => state!.follows!.every(({ ready }) => ready));
}

/** Null: it is not ready. */
async function readinessAt(url: string): Promise<Readiness | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1_000) });
    return response.ok ? ((await response.json()) as Readiness) : null;
  } catch {
    return null;
  }
}
