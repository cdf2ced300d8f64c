// The assignment of ports, and whether a port is free. All on 127.0.0.1.
import { createServer } from 'node:net';
import { randomInt } from 'node:crypto';

/** The first five gateways have consecutive ports; the ports after them belong to the sites, the Redis doors and the NATS servers. */
const GATEWAYS_TOGETHER = 5;
const LATER_GATEWAYS_OFFSET = 70;
/** Below the range from which systems choose ports for outgoing connections, and away from the demo's. */
const FREE_PORT_MIN = 20_000;
const FREE_PORT_MAX = 32_000;
const FREE_PORT_TRIES = 1_000;
/** Test processes that run at once take free ports from different ranges, so that none takes a port on which another is about to listen. */
const FREE_PORT_SHARES = 8;

/**
 * @typedef {{rest: number, grpc: number, resp?: number}} GatewayPorts `resp`: of its Redis door
 * @typedef {import('../nats/configuration.js').NatsPorts} NatsPorts
 * @param {{gatewayPort: number, respPort: number, auctionsPort: number, timelinesPort: number, natsPort: number, shards: number,
 *   standbys: number, natsServers: number, auctionServers: number, timelineServers: number}} options
 * @returns {{gateways: GatewayPorts[], standbys: GatewayPorts[], nats: NatsPorts[], auctions: number[], timelines: number[]}}
 */
export function portPlan({ gatewayPort, respPort, auctionsPort, timelinesPort, natsPort, ...count }) {
  const gateways = Array.from({ length: count.shards + count.standbys }, (_, gateway) => {
    const later = gateway >= GATEWAYS_TOGETHER;
    const rest = gatewayPort + (later ? LATER_GATEWAYS_OFFSET + 2 * (gateway - GATEWAYS_TOGETHER) : 2 * gateway);
    return { rest, grpc: rest + 1, resp: respPort + gateway };
  });
  const row = (first, length) => Array.from({ length }, (_, server) => first + server);
  return {
    gateways: gateways.slice(0, count.shards),
    standbys: gateways.slice(count.shards),
    nats: natsPorts(row(natsPort, 3 * count.natsServers)),
    auctions: row(auctionsPort, count.auctionServers),
    timelines: row(timelinesPort, count.timelineServers),
  };
}

/** First those for clients, then those between the servers, then those of their monitoring. @param {number[]} ports three for each server */
export function natsPorts(ports) {
  const servers = ports.length / 3;
  const [client, cluster, http] = [0, 1, 2].map((kind) => ports.slice(kind * servers, (kind + 1) * servers));
  return client.map((port, server) => ({ client: port, cluster: cluster[server], http: http[server] }));
}

/** @param {number} port @returns {Promise<boolean>} */
export function isTaken(port) {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(true) : reject(error)));
    probe.listen({ port, host: '127.0.0.1' }, () => probe.close(() => resolve(false)));
  });
}

/** Ports returned by this process: callers may not listen on them yet. */
const given = new Set();

/** @param {number} count @returns {Promise<number[]>} ports without a listener, never returned before */
export async function freePorts(count) {
  const width = (FREE_PORT_MAX - FREE_PORT_MIN) / FREE_PORT_SHARES;
  const share = Number(process.env.VITEST_POOL_ID ?? process.env.TEST_PARALLEL_INDEX ?? process.pid) % FREE_PORT_SHARES;
  const found = [];
  for (let tries = 0; found.length < count; ++tries) {
    if (tries === FREE_PORT_TRIES) throw new Error(`no ${count} free ports between ${FREE_PORT_MIN} and ${FREE_PORT_MAX}`);
    const port = FREE_PORT_MIN + share * width + randomInt(width);
    if (given.has(port) || (await isTaken(port))) continue;
    given.add(port);
    found.push(port);
  }
  return found;
}
