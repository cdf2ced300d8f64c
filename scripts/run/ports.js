// The assignment of ports, and whether a port is free. All on 127.0.0.1.
import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** The first five gateways have consecutive ports; the ports after them belong to the sites, the Redis doors and the NATS servers. */
const GATEWAYS_TOGETHER = 5;
const LATER_GATEWAYS_OFFSET = 70;
/** Below the range from which systems choose ports for outgoing connections, and away from the demo's. */
const FREE_PORT_MIN = 20_000;
const FREE_PORT_MAX = 32_000;
const FREE_PORT_TRIES = 1_000;
/** A file for each port that a process has been given and may not listen on yet, with its number. */
const GIVEN_DIR = join(tmpdir(), `claret-ports-${userInfo().uid}`);

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

/** Ports that this process was given. @type {Set<number>} */
const given = new Set();

const fileOf = (port) => join(GIVEN_DIR, String(port));

process.on('exit', () => {
  for (const port of given) rmSync(fileOf(port), { force: true });
});

/** @param {string} file @returns {boolean} the process that it names has ended */
function isStale(file) {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0);
    return false;
  } catch (error) {
    return error.code !== 'EPERM';
  }
}

/** Processes that run at once are given different ports, also while nobody listens there yet. @param {number} port @returns {boolean} it is ours */
function claim(port) {
  try {
    writeFileSync(fileOf(port), String(process.pid), { flag: 'wx' });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (isStale(fileOf(port))) rmSync(fileOf(port), { force: true }); // for the next who draws it
    return false;
  }
  given.add(port);
  return true;
}

/** @param {number} first @param {number} count @returns {Promise<boolean>} these ports are ours, and nobody listens there */
async function claimRow(first, count) {
  const mine = [];
  for (let port = first; port < first + count; ++port) {
    const isMine = claim(port);
    if (isMine) mine.push(port);
    if (isMine && !(await isTaken(port))) continue;
    for (const each of mine) release(each);
    return false;
  }
  return true;
}

function release(port) {
  given.delete(port);
  rmSync(fileOf(port), { force: true });
}

/** @param {number} count @returns {Promise<number>} the first of `count` consecutive ports without a listener, which no other process is given while this one runs */
export async function freeRow(count) {
  mkdirSync(GIVEN_DIR, { recursive: true });
  for (let tries = 0; tries < FREE_PORT_TRIES; ++tries) {
    const first = randomInt(FREE_PORT_MIN, FREE_PORT_MAX - count);
    if (await claimRow(first, count)) return first;
  }
  throw new Error(`no row of ${count} free ports between ${FREE_PORT_MIN} and ${FREE_PORT_MAX}`);
}

/** @param {number} count @returns {Promise<number[]>} ports as those of `freeRow`, in no order */
export async function freePorts(count) {
  const found = [];
  while (found.length < count) found.push(await freeRow(1));
  return found;
}
