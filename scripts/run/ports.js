// Which port is whose, and whether it is free. All on 127.0.0.1.
import { createServer } from 'node:net';
import { randomInt } from 'node:crypto';

/** The first five shards sit together; the ports after them belong to the sites. */
const SHARDS_TOGETHER = 5;
const LATER_SHARDS_OFFSET = 30;
/** Below the range from which systems pick ports for outgoing connections, and away from the demo's. */
const FREE_PORT_MIN = 20_000;
const FREE_PORT_MAX = 32_000;
const FREE_PORT_TRIES = 1_000;

/**
 * @param {{gatewayPort: number, auctionsPort: number, timelinesPort: number, shards: number, auctionServers: number, timelineServers: number}} options
 * @returns {{gateways: {rest: number, grpc: number}[], auctions: number[], timelines: number[]}}
 */
export function portPlan({ gatewayPort, auctionsPort, timelinesPort, shards, auctionServers, timelineServers }) {
  const gateways = Array.from({ length: shards }, (_, shard) => {
    const later = shard >= SHARDS_TOGETHER;
    const rest = gatewayPort + (later ? LATER_SHARDS_OFFSET + 2 * (shard - SHARDS_TOGETHER) : 2 * shard);
    return { rest, grpc: rest + 1 };
  });
  const row = (first, count) => Array.from({ length: count }, (_, server) => first + server);
  return { gateways, auctions: row(auctionsPort, auctionServers), timelines: row(timelinesPort, timelineServers) };
}

/** @param {number} port @returns {Promise<boolean>} */
export function isTaken(port) {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(true) : reject(error)));
    probe.listen({ port, host: '127.0.0.1' }, () => probe.close(() => resolve(false)));
  });
}

/** @param {number} count @returns {Promise<number[]>} ports that nobody listens on now */
export async function freePorts(count) {
  const found = new Set();
  for (let tries = 0; found.size < count; ++tries) {
    if (tries === FREE_PORT_TRIES) throw new Error(`no ${count} free ports between ${FREE_PORT_MIN} and ${FREE_PORT_MAX}`);
    const port = randomInt(FREE_PORT_MIN, FREE_PORT_MAX);
    if (!found.has(port) && !(await isTaken(port))) found.add(port);
  }
  return [...found];
}
