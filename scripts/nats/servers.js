// NATS servers with JetStream on this machine, for replicated logs: by default three, which form a cluster. Used by `npm start`, tests,
// benchmarks and crash runs. servers.d.ts is the contract.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, natsPorts } from '../run/ports.js';
import { Problem } from '../run/problem.js';
import { Child } from '../run/process.js';
import { waitUntilReady } from '../run/ready.js';
import { ensureNatsServer } from '../setup/nats-server.js';
import { NATS_SERVERS, READY_PATH, configure, monitoringUrl, natsAddress, natsCommand, natsServers, newToken } from './configuration.js';

const READY_WITHIN_MS = 60_000;

class RunningServer {
  #server;
  #program;
  #options;
  /** @type {Child | undefined} */
  #child;
  #expected = false;

  /** @param {import('./configuration.js').NatsServer} server @param {string} program @param {import('./servers.js').NatsOptions} options */
  constructor(server, program, options) {
    this.#server = server;
    this.#program = program;
    this.#options = options;
    this.name = server.name;
  }

  start() {
    if (this.#child !== undefined && this.#child.ended === null) throw new Error(`${this.name} is running already`);
    const { onLine, onDeath } = this.#options;
    const child = new Child({
      name: this.name,
      ...natsCommand(this.#program, this.#server),
      server: true,
      onLine: (line) => onLine?.(this.name, line),
    });
    this.#child = child;
    this.#expected = false;
    void child.exited.then((end) => {
      if (!this.#expected) onDeath?.({ name: this.name, ...end, lastLines: child.lastLines });
    });
  }

  async ready() {
    const child = this.#child;
    const outcome = await waitUntilReady(`${monitoringUrl(this.#server)}${READY_PATH}`, child, READY_WITHIN_MS);
    if (outcome === 'ready' || this.#expected) return;
    const what = outcome === 'ended' ? 'ended before it was ready' : `was not ready after ${READY_WITHIN_MS / 1000} s`;
    throw new Problem(`${this.name} ${what}.`, child.lastLines.map((line) => `  ${line}`).join('\n'));
  }

  async kill(signal) {
    const child = this.#child;
    if (signal === 'SIGKILL' || signal === 'SIGTERM') this.#expected = true;
    child.signal(signal);
    if (this.#expected) await child.exited;
  }

  async stop() {
    this.#expected = true;
    if (this.#child === undefined) return;
    this.#child.signal('SIGCONT'); // a frozen server would not notice that it is to end
    await this.#child.stop();
  }
}

/** @param {import('./servers.js').NatsOptions} [options] @returns {Promise<import('./servers.js').NatsServers>} */
export async function startNatsServers({ count = NATS_SERVERS, dir, token = newToken(), program, onLine, onDeath } = {}) {
  const path = program ?? (await ensureNatsServer());
  const folder = dir ?? mkdtempSync(join(tmpdir(), 'claret-nats-'));
  const places = natsServers(folder, natsPorts(await freePorts(3 * count)));
  configure(places, token);
  const servers = places.map((place) => new RunningServer(place, path, { onLine, onDeath }));
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()));
    if (dir === undefined) rmSync(folder, { recursive: true, force: true });
  };
  try {
    for (const server of servers) server.start();
    await Promise.all(servers.map((server) => server.ready()));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    addresses: places.map(natsAddress),
    token,
    kill: (server, signal = 'SIGKILL') => servers[server].kill(signal),
    start: (server) => servers[server].start(),
    ready: async () => void (await Promise.all(servers.map((server) => server.ready()))),
    stop,
  };
}
