// A running cluster: gateways, the data set, app servers. `npm start`, tests and benchmarks start theirs here.
// cluster.d.ts is the contract.
//
// What a server must do: answer GET /readyz with 200 when it is ready; stop on SIGTERM; and, when
// CLARET_EXIT_WITH_PARENT=1, stop when its stdin ends, so that it never outlives the process that started it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inProject } from './paths.js';
import { freePorts } from './run/ports.js';
import { Problem } from './run/problem.js';
import { Child } from './run/process.js';
import { waitUntilReady } from './run/ready.js';
import { node24 } from './setup/node24.js';

const READY_WITHIN_MS = 60_000;
const LOAD_WITHIN_MS = 10 * 60_000;
const PROGRESS = /^progress (\d+) (\d+) ?(.*)$/;

/** @type {(lines: string[]) => string} */
const indented = (lines) => lines.map((line) => `  ${line}`).join('\n');

async function takeFreePorts(shards, auctionServers) {
  const free = await freePorts(2 * shards + auctionServers);
  return {
    gateways: Array.from({ length: shards }, () => ({ rest: free.pop(), grpc: free.pop() })),
    auctions: Array.from({ length: auctionServers }, () => free.pop()),
  };
}

/** One server's process, started and not yet ready. */
class Server {
  constructor({ name, args, port, env, cwd, onLine, onDeath }) {
    this.name = name;
    this.url = `http://127.0.0.1:${port}`;
    this.child = new Child({
      name, command: node24(), args, cwd, env, server: true,
      onLine: (line, stream) => onLine?.(name, line, stream),
    });
    this.stopping = false;
    void this.child.exited.then((end) => {
      if (!this.stopping) onDeath?.({ name, ...end, lastLines: this.child.lastLines });
    });
  }

  async ready() {
    const outcome = await waitUntilReady(`${this.url}/readyz`, this.child, READY_WITHIN_MS);
    if (outcome === 'ready' || this.stopping) return;
    const what = outcome === 'ended' ? 'ended before it was ready' : `was not ready after ${READY_WITHIN_MS / 1000} s`;
    throw new Problem(`${this.name} ${what}:\n\n${indented(this.child.lastLines)}`);
  }

  async stop() {
    this.stopping = true;
    await this.child.stop();
  }
}

export async function loadDataSet({ gateways, profile, seed, env, onProgress }) {
  const flags = ['--gateways', gateways.map(({ grpc }) => grpc).join(','), '--profile', profile];
  if (seed !== undefined) flags.push('--seed', String(seed));
  const child = new Child({
    name: 'data set', command: node24(), env, server: true,
    args: [inProject('apps', 'rubis', 'server', 'data', 'load.ts'), ...flags],
    onLine(line) {
      const [, done, total, what] = PROGRESS.exec(line) ?? [];
      if (total) onProgress?.(Number(done), Number(total), what);
    },
  });
  const timer = setTimeout(() => void child.stop(), LOAD_WITHIN_MS);
  const { code } = await child.exited;
  clearTimeout(timer);
  if (code !== 0) throw new Problem(`The data set \`${profile}\` was not loaded:\n\n${indented(child.lastLines)}`);
}

class Cluster {
  constructor(options, ports) {
    this.options = options;
    this.ports = ports;
    this.temporary = options.dataDir === 'temporary';
    this.folder = this.temporary ? mkdtempSync(join(tmpdir(), 'claret-')) : options.dataDir;
    this.gatewayServers = [];
    this.auctionServers = [];
    this.stopped = null;
  }

  async startGateways() {
    const { env, cwd, logLevel, onLine, onDeath } = this.options;
    const pairs = this.ports.gateways.map(({ rest, grpc }) => `127.0.0.1:${grpc}/127.0.0.1:${rest}`);
    this.gatewayServers = this.ports.gateways.map(({ rest }, shard) => {
      const args = [inProject('gateway', 'src', 'main.ts'), '--shard', String(shard), '--cluster', pairs.join(',')];
      if (this.folder) args.push('--data-dir', join(this.folder, `shard-${shard}`));
      args.push('--log-level', logLevel);
      return new Server({ name: `gateway ${shard}`, args, port: rest, env, cwd, onLine, onDeath });
    });
    await Promise.all(this.gatewayServers.map((server) => server.ready()));
  }

  async startAuctions() {
    const { env, cwd, logLevel, onLine, onDeath, auctionFlags = [] } = this.options;
    const addresses = this.gateways.map(({ grpc }) => grpc).join(',');
    this.auctionServers = this.ports.auctions.map((port, index) => {
      const args = [inProject('apps', 'rubis', 'server', 'main.ts'), '--port', String(port), '--gateways', addresses];
      args.push('--log-level', logLevel, ...auctionFlags);
      return new Server({ name: `auctions ${index}`, args, port, env, cwd, onLine, onDeath });
    });
    await Promise.all(this.auctionServers.map((server) => server.ready()));
  }

  get gateways() {
    return this.gatewayServers.map(({ url, child }, shard) => ({
      grpc: `127.0.0.1:${this.ports.gateways[shard].grpc}`, rest: url, pid: child.pid,
    }));
  }

  get auctions() {
    return this.auctionServers.map(({ url, child }) => ({ url, pid: child.pid }));
  }

  /** App servers first: they stop while what they need still answers. */
  stop() {
    this.stopped ??= (async () => {
      for (const server of [...this.auctionServers, ...this.gatewayServers]) server.stopping = true;
      await Promise.all(this.auctionServers.map((server) => server.stop()));
      await Promise.all(this.gatewayServers.map((server) => server.stop()));
      if (this.temporary) rmSync(this.folder, { recursive: true, force: true });
    })();
    return this.stopped;
  }
}

export async function startCluster(options = {}) {
  const { shards = 2, auctionServers = 0, ports = 'free', profile, seed, env, onProgress } = options;
  const plan = ports === 'free' ? await takeFreePorts(shards, auctionServers) : ports;
  const dataDir = ports === 'free' ? 'temporary' : undefined;
  const cluster = new Cluster({ logLevel: 'warn', dataDir, ...options }, plan);
  options.onStarting?.(cluster);
  try {
    await cluster.startGateways();
    if (profile) await loadDataSet({ gateways: cluster.gateways, profile, seed, env, onProgress });
    await cluster.startAuctions();
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  return cluster;
}
