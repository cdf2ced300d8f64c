// A running cluster: gateways, data sets, the sites' app servers. Used by `npm start`, tests and benchmarks. cluster.d.ts is the
// contract.
//
// A server must answer GET /readyz with 200 when it is ready, stop on SIGTERM, and, with CLARET_EXIT_WITH_PARENT=1, stop when its
// stdin ends, so that it never outlives the process that started it.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inProject } from './paths.js';
import { freePorts } from './run/ports.js';
import { Problem } from './run/problem.js';
import { Child } from './run/process.js';
import { waitUntilReady } from './run/ready.js';
import { node24 } from './setup/node24.js';

/** Built by scripts/setup/web.js. */
const DASHBOARD_DIR = inProject('ui', 'dashboard', 'dist');
const SPIKE_DRIVER = inProject('loadtest', 'load', 'spike', 'main.ts');
const READY_WITHIN_MS = 60_000;
/** Longer than a gateway's limit for its last checkpoint (gateway/src/store/durable-shard.ts). */
const GATEWAY_STOP_MS = 45_000;
const LOAD_WITHIN_MS = 10 * 60_000;
const PROGRESS = /^progress (\d+) (\d+) ?(.*)$/;

/** @type {(lines: string[]) => string} */
const indented = (lines) => lines.map((line) => `  ${line}`).join('\n');

async function takeFreePorts({ shards, auctionServers, timelineServers }) {
  const free = await freePorts(2 * shards + auctionServers + timelineServers);
  return {
    gateways: Array.from({ length: shards }, () => ({ rest: free.pop(), grpc: free.pop() })),
    auctions: Array.from({ length: auctionServers }, () => free.pop()),
    timelines: Array.from({ length: timelineServers }, () => free.pop()),
  };
}

/** The process of one server, started and not yet ready. */
class Server {
  constructor({ name, args, port, env, cwd, onLine, onDeath }) {
    this.name = name;
    this.url = `http://127.0.0.1:${port}`;
    this.child = new Child({
      name,
      command: node24(),
      args,
      cwd,
      env,
      server: true,
      onLine: (line, stream) => onLine?.(name, line, stream),
    });
    this.stopping = false;
    void this.child.exited.then((end) => {
      if (!this.stopping) onDeath?.({ name, ...end, lastLines: this.child.lastLines });
    });
  }

  async ready(onRecovering) {
    const outcome = await waitUntilReady(`${this.url}/readyz`, this.child, READY_WITHIN_MS, onRecovering);
    if (outcome === 'ready' || this.stopping) return;
    const what = outcome === 'ended' ? 'ended before it was ready' : `was not ready after ${READY_WITHIN_MS / 1000} s`;
    throw new Problem(`${this.name} ${what}:\n\n${indented(this.child.lastLines)}`);
  }

  async stop(graceMs) {
    this.stopping = true;
    await this.child.stop(graceMs);
  }
}

/** What a gateway has restored at its start, from its metrics. @param {string} url */
async function restoredBy(url) {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const value = (name) => Number(new RegExp(`^claret_restart_${name} (\\S+)$`, 'm').exec(metrics)?.[1] ?? 0);
  return { records: value('records'), entries: value('entries'), seconds: value('seconds') };
}

/** A running loader of one site's data set. `ended` rejects if the loader fails. */
function startLoader({ site, flags, env, onProgress }) {
  const child = new Child({
    name: `data set of ${site}`,
    command: node24(),
    env,
    server: true,
    args: [inProject('apps', site, 'server', 'data', 'load.ts'), ...flags],
    onLine(line) {
      const [, done, total, what] = PROGRESS.exec(line) ?? [];
      if (total) onProgress(Number(done), Number(total), what);
    },
  });
  const timer = setTimeout(() => void child.stop(), LOAD_WITHIN_MS);
  const ended = child.exited.then(({ code }) => {
    clearTimeout(timer);
    if (code !== 0) throw new Problem(`The data set of apps/${site} was not loaded:\n\n${indented(child.lastLines)}`);
  });
  return { ended, stop: () => child.stop() };
}

/** Loads data sets in parallel: while one generates, the other writes. */
export async function loadDataSets({ gateways, profile, graphScale, seed, env, onProgress }) {
  const common = ['--gateways', gateways.map(({ grpc }) => grpc).join(',')];
  if (seed !== undefined) common.push('--seed', String(seed));
  const wanted = [
    ...(profile === undefined ? [] : [{ site: 'rubis', called: 'auctions', flags: ['--profile', profile] }]),
    ...(graphScale === undefined ? [] : [{ site: 'retwis', called: 'timelines', flags: ['--scale', String(graphScale)] }]),
  ];
  const parts = wanted.map(() => ({ known: false, done: 0, total: 0 }));
  const tell = (part, called) => (done, total, what) => {
    Object.assign(part, { known: true, done, total });
    // The total is unknown until each loader has reported its amount of work, or that there is none.
    if (!parts.every(({ known }) => known)) return;
    const sum = (of) => parts.reduce((all, each) => all + each[of], 0);
    onProgress?.(sum('done'), sum('total'), `${called}: ${what}`);
  };
  const loaders = wanted.map(({ site, called, flags }, i) =>
    startLoader({ site, flags: [...common, ...flags], env, onProgress: tell(parts[i], called) }),
  );
  try {
    await Promise.all(loaders.map(({ ended }, i) => ended.then(() => void (parts[i].known = true))));
  } catch (error) {
    await Promise.all(loaders.map((loader) => loader.stop()));
    throw error;
  }
}

class Cluster {
  constructor(options, ports) {
    this.options = options;
    this.ports = ports;
    this.temporary = options.dataDir === 'temporary';
    this.folder = this.temporary ? mkdtempSync(join(tmpdir(), 'claret-')) : options.dataDir;
    this.gatewayServers = [];
    this.auctionServers = [];
    this.timelineServers = [];
    /** @type {Child[]} */
    this.visitors = [];
    this.stopped = null;
    this.restored = { records: 0, entries: 0, seconds: 0 };
  }

  /** The gateways' flags with the sites' addresses, for the dashboard. */
  siteFlags() {
    const {
      auctions: [auctions],
      timelines: [timelines],
    } = this.ports;
    const sites = Object.entries({ auctions, timelines }).filter(([, port]) => port !== undefined);
    return sites.length === 0 ? [] : ['--site-urls', sites.map(([name, port]) => `${name}=http://127.0.0.1:${port}`).join(',')];
  }

  async startGateways() {
    const { env, cwd, dashboard, durability, logLevel, onLine, onDeath } = this.options;
    const pairs = this.ports.gateways.map(({ rest, grpc }) => `127.0.0.1:${grpc}/127.0.0.1:${rest}`);
    this.gatewayServers = this.ports.gateways.map(({ rest }, shard) => {
      const args = [inProject('gateway', 'src', 'main.ts'), '--shard', String(shard), '--cluster', pairs.join(',')];
      if (this.folder) args.push('--data-dir', join(this.folder, `shard-${shard}`));
      if (dashboard) args.push('--dashboard-dir', DASHBOARD_DIR, '--spike-driver', SPIKE_DRIVER, ...this.siteFlags());
      args.push('--durability', durability, '--log-level', logLevel);
      return new Server({ name: `gateway ${shard}`, args, port: rest, env, cwd, onLine, onDeath });
    });
    const told = new Map();
    await Promise.all(this.gatewayServers.map((server) => server.ready((recovering) => this.#tellRestoring(told.set(server, recovering)))));
    if (durability === 'none') return;
    const each = await Promise.all(this.gateways.map(({ rest }) => restoredBy(rest)));
    for (const { records, entries, seconds } of each) {
      this.restored = {
        records: this.restored.records + records,
        entries: this.restored.entries + entries,
        seconds: Math.max(this.restored.seconds, seconds),
      };
    }
  }

  /** Reports the progress of all shards together. */
  #tellRestoring(told) {
    const sum = (name) => [...told.values()].reduce((all, each) => all + each[name], 0);
    if (sum('bytes_total') === 0) return;
    const what = `${sum('records_loaded')} records, ${sum('entries_replayed')} log entries`;
    this.options.onRestoring?.(sum('bytes_read'), sum('bytes_total'), what);
  }

  /** One app server for each port. */
  #appServers(site, called, ports, more = []) {
    const { env, cwd, dashboard, logLevel, registrationsPerHour, onLine, onDeath } = this.options;
    const addresses = this.gateways.map(({ grpc }) => grpc).join(',');
    return ports.map((port, index) => {
      const args = [inProject('apps', site, 'server', 'main.ts'), '--port', String(port), '--gateways', addresses];
      if (dashboard) args.push('--dashboard', this.dashboard);
      if (registrationsPerHour !== undefined) args.push('--registrations-per-hour', String(registrationsPerHour));
      args.push('--log-level', logLevel, ...more);
      return new Server({ name: `${called} ${index}`, args, port, env, cwd, onLine, onDeath });
    });
  }

  async startSites() {
    this.auctionServers = this.#appServers('rubis', 'auctions', this.ports.auctions, this.options.auctionFlags);
    this.timelineServers = this.#appServers('retwis', 'timelines', this.ports.timelines);
    await Promise.all(this.appServers.map((server) => server.ready()));
  }

  /** Starts the visitors of each site that runs; their readiness is not awaited. */
  startVisitors() {
    const { env, cwd, seed, onLine } = this.options;
    const sites = [...(this.auctionServers.length > 0 ? ['rubis'] : []), ...(this.timelineServers.length > 0 ? ['retwis'] : [])];
    const gateways = this.gateways.map(({ grpc }) => grpc).join(',');
    this.visitors = sites
      .map((site) => ({ site, main: inProject('apps', site, 'server', 'visitors', 'main.ts') }))
      .filter(({ main }) => existsSync(main))
      .map(({ site, main }) => {
        const args = [main, '--gateways', gateways, ...(seed === undefined ? [] : ['--seed', String(seed)])];
        const name = `visitors of ${site}`;
        return new Child({ name, command: node24(), args, cwd, env, server: true, onLine: (line, stream) => onLine?.(name, line, stream) });
      });
  }

  get appServers() {
    return [...this.auctionServers, ...this.timelineServers];
  }

  get gateways() {
    return this.gatewayServers.map(({ url, child }, shard) => ({
      grpc: `127.0.0.1:${this.ports.gateways[shard].grpc}`,
      rest: url,
      pid: child.pid,
    }));
  }

  /** The dashboard's URL; every gateway serves it, this is the first one's. */
  get dashboard() {
    return this.options.dashboard ? this.gatewayServers[0].url : null;
  }

  get auctions() {
    return this.auctionServers.map(({ url, child }) => ({ url, pid: child.pid }));
  }

  get timelines() {
    return this.timelineServers.map(({ url, child }) => ({ url, pid: child.pid }));
  }

  /** App servers stop first, while the gateways that they need still answer. */
  stop() {
    this.stopped ??= (async () => {
      for (const server of [...this.appServers, ...this.gatewayServers]) server.stopping = true;
      await Promise.all([...this.visitors, ...this.appServers].map((server) => server.stop()));
      await Promise.all(this.gatewayServers.map((server) => server.stop(GATEWAY_STOP_MS)));
      if (this.temporary) rmSync(this.folder, { recursive: true, force: true });
    })();
    return this.stopped;
  }
}

export async function startCluster(options = {}) {
  const { shards = 2, auctionServers = 0, timelineServers = 0, ports = 'free', profile, graphScale, seed, env, onProgress } = options;
  const plan = ports === 'free' ? await takeFreePorts({ shards, auctionServers, timelineServers }) : ports;
  const dataDir = ports === 'free' ? 'temporary' : undefined;
  const cluster = new Cluster({ logLevel: 'warn', durability: 'none', dataDir, ...options }, plan);
  options.onStarting?.(cluster);
  try {
    await cluster.startGateways();
    await loadDataSets({ gateways: cluster.gateways, profile, graphScale, seed, env, onProgress });
    await cluster.startSites();
    if (options.visitors) cluster.startVisitors();
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  return cluster;
}
