// A running cluster: gateways, the NATS servers of a replicated log, data sets, the sites' app servers. Used by `npm start`, tests and benchmarks. cluster.d.ts is the
// contract.
//
// A server must answer GET /readyz with 200 when it is ready, stop on SIGTERM, and, with CLARET_EXIT_WITH_PARENT=1, stop when its
// stdin ends, so that it never outlives the process that started it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NATS_SERVERS, configure, keptToken, monitoringUrl, natsAddress, natsServers, tokenFile } from './nats/configuration.js';
import { refuseRunning } from './nats/kept.js';
import { inProject } from './paths.js';
import { STAGES, gatewayAddresses, processes } from './processes.js';
import { KillSwitch } from './run/kill-switch.js';
import { OwnerWatch } from './run/owners.js';
import { freePorts, natsPorts } from './run/ports.js';
import { Problem } from './run/problem.js';
import { Child } from './run/process.js';
import { replicatedHost } from './run/replicated-host.js';
import { Service, indented } from './run/service.js';
import { ensureNatsServer } from './setup/nats-server.js';
import { node24 } from './setup/node24.js';

const LOAD_WITHIN_MS = 10 * 60_000;
const PROGRESS = /^progress (\d+) (\d+) ?(.*)$/;

async function takeFreePorts({ shards, standbys, natsCount, auctionServers, timelineServers, redis }) {
  const each = redis ? 3 : 2;
  const free = await freePorts(each * (shards + standbys) + 3 * natsCount + auctionServers + timelineServers);
  const gateways = (length) => Array.from({ length }, () => gatewayOn(free.splice(0, each)));
  return {
    gateways: gateways(shards),
    standbys: gateways(standbys),
    nats: natsPorts(free.splice(0, 3 * natsCount)),
    auctions: Array.from({ length: auctionServers }, () => free.pop()),
    timelines: Array.from({ length: timelineServers }, () => free.pop()),
  };
}

/** With a Redis door, if there is a third port. */
const gatewayOn = ([rest, grpc, resp]) => ({ rest, grpc, ...(resp !== undefined && { resp }) });

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
  /** @param {object} options see cluster.d.ts @param {object} ports @param {string | null} natsProgram null: each log is local */
  constructor(options, ports, natsProgram) {
    this.options = options;
    this.ports = ports;
    this.temporary = options.dataDir === 'temporary';
    this.folder = this.temporary ? mkdtempSync(join(tmpdir(), 'claret-')) : options.dataDir;
    this.nats = natsProgram === null ? null : this.#configureNats(natsProgram);
    this.rows = processes(options, ports, this.folder, this.nats);
    /** those that were started @type {Service[]} */
    this.services = [];
    this.stopped = null;
    this.restored = { records: 0, entries: 0, seconds: 0 };
    const gateways = this.rows.filter(({ kind }) => kind === 'gateway').map(({ name, url }) => ({ name, rest: url }));
    this.watch = this.nats && new OwnerWatch(gateways, options.onMove);
    this.host = this.watch === null ? options : replicatedHost(options, this.services, this.watch);
    /** what dies is started again, so a dashboard may kill */
    this.killSwitch = options.dashboard && options.restarts ? new KillSwitch(() => this.owners()) : null;
  }

  /** Before a gateway starts. */
  async openKillSwitch() {
    if (this.killSwitch === null) return;
    const CLARET_KILL_SWITCH = await this.killSwitch.open(); // anybody may read command lines
    for (const row of this.rows.filter(({ kind }) => kind === 'gateway')) row.env = { ...row.env, CLARET_KILL_SWITCH };
  }

  #configureNats(program) {
    const token = keptToken(this.folder);
    const servers = natsServers(this.folder, this.ports.nats);
    configure(servers, token);
    return { program, token, servers };
  }

  /** Starts the processes of one line of STAGES, and waits until they are ready. */
  async startStage(kinds) {
    if (this.stopped !== null) throw new Problem('The cluster was stopped while it started.');
    const started = this.rows.filter(({ kind }) => kinds.includes(kind)).map((row) => new Service(row, this.host));
    this.services.push(...started);
    const told = new Map();
    await Promise.all(started.map((service) => service.ready((recovering) => this.#tellRestoring(told.set(service, recovering)))));
  }

  /** Adds up what the owners have restored. */
  async learnRestored() {
    const each = await Promise.all((await this.owners()).map(({ rest }) => restoredBy(rest)));
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

  #of(kind) {
    return this.services.filter(({ row }) => row.kind === kind);
  }

  get gateways() {
    const addresses = gatewayAddresses(this.ports);
    return this.#of('gateway').map(({ pid }, shard) => ({ ...addresses[shard], pid }));
  }

  /** In shard order. */
  async owners() {
    const { gateways } = this;
    if (this.watch === null) return gateways;
    return (await this.watch.owners()).map((rest) => gateways.find((gateway) => gateway.rest === rest));
  }

  get natsServers() {
    return this.#of('nats').map(({ pid }, at) => {
      const server = this.nats.servers[at];
      return { address: natsAddress(server), monitoring: monitoringUrl(server), pid };
    });
  }

  get natsTokenFile() {
    return this.nats && tokenFile(this.folder);
  }

  /** The dashboard's URL; every gateway serves it, this is the first one's. */
  get dashboard() {
    return this.options.dashboard ? gatewayAddresses(this.ports)[0].rest : null;
  }

  get auctions() {
    return this.#of('auctions').map(({ row, pid }) => ({ url: row.url, pid }));
  }

  get timelines() {
    return this.#of('timelines').map(({ row, pid }) => ({ url: row.url, pid }));
  }

  /** The programs of the simulated visitors. */
  get visitors() {
    return this.#of('visitors').map(({ child }) => child);
  }

  /** Waits until a further gateway is ready, whose shard owns no slots. Rejects with a Problem if the cluster is replicated. */
  async joinShard() {
    if (this.nats !== null) throw new Problem('Shards join a cluster with local logs here.');
    const { gateways } = this.ports;
    const own = gatewayOn(await freePorts(gateways[0].resp === undefined ? 2 : 3));
    if (this.stopped !== null) throw new Problem('The cluster was stopped while a shard joined.');
    this.options = { dealtShards: gateways.length, ...this.options };
    this.ports = { ...this.ports, gateways: [...gateways, own] };
    this.rows = processes(this.options, this.ports, this.folder, this.nats);
    // Those that run know the new shard from its greetings; one that is started again names it by itself.
    for (const service of this.services) service.row = this.rows.find(({ name }) => name === service.row.name);
    const joining = new Service(
      this.rows.find(({ name }) => name === `gateway ${gateways.length}`),
      this.host,
    );
    this.services.push(joining);
    await joining.ready();
  }

  /** Whoever needs others stops first, while these still answer. */
  stop() {
    this.stopped ??= (async () => {
      this.watch?.stop();
      this.killSwitch?.close();
      for (const service of this.services) service.expectEnd();
      for (const kinds of STAGES.toReversed()) {
        await Promise.all(this.services.filter(({ row }) => kinds.includes(row.kind)).map((service) => service.stop()));
      }
      if (this.temporary) rmSync(this.folder, { recursive: true, force: true });
    })();
    return this.stopped;
  }
}

/** The number of standbys; null: each log is local. */
function standbysOf({ replicated, durability = 'sync', ports }) {
  if (!replicated) return null;
  if (durability !== 'sync') throw new Problem(`A replicated log has durability sync, not "${durability}".`);
  return ports?.standbys?.length ?? replicated.standbys ?? 1;
}

export async function startCluster(options = {}) {
  const { shards = 2, auctionServers = 0, timelineServers = 0, ports = 'free', profile, graphScale, seed, env, onProgress } = options;
  const standbys = standbysOf(options);
  const isReplicated = standbys !== null;
  const natsProgram = isReplicated ? await ensureNatsServer() : null;
  const natsCount = isReplicated ? NATS_SERVERS : 0;
  const counts = { shards, standbys: standbys ?? 0, natsCount, auctionServers, timelineServers, redis: options.redis };
  const plan = ports === 'free' ? await takeFreePorts(counts) : ports;
  if (isReplicated && options.dataDir) await refuseRunning(options.dataDir);
  const dataDir = ports === 'free' || isReplicated ? 'temporary' : undefined;
  const durability = isReplicated ? 'sync' : 'none';
  const cluster = new Cluster({ logLevel: 'warn', durability, dataDir, ...options }, plan, natsProgram);
  options.onStarting?.(cluster);
  try {
    const [nats, store, ...users] = STAGES;
    await cluster.openKillSwitch();
    await cluster.startStage(nats);
    await cluster.startStage(store);
    await cluster.watch?.start();
    if (cluster.options.durability !== 'none') await cluster.learnRestored();
    await loadDataSets({ gateways: cluster.gateways, profile, graphScale, seed, env, onProgress });
    for (const kinds of users) await cluster.startStage(kinds);
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  return cluster;
}
