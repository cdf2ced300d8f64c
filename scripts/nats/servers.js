// NATS servers with JetStream on this machine, for replicated logs: by default three, which form a cluster. Used by `npm start`, tests,
// benchmarks and crash runs. servers.d.ts is the contract.
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../run/ports.js';
import { Problem } from '../run/problem.js';
import { Child } from '../run/process.js';
import { waitUntilReady } from '../run/ready.js';
import { ensureNatsServer } from '../setup/nats-server.js';

const READY_WITHIN_MS = 60_000;
/** The server's default, set explicitly because the log relies on it (gateway/src/log/jetstream/frames.ts). */
const MAX_PAYLOAD_BYTES = 1 << 20;
const CLUSTER_NAME = 'claret';

/**
 * nats-server knows nothing of a standard input, so a shell waits beside it for the end of that of its parent. The trap keeps the shell
 * alive until the server has ended in order.
 */
const WITH_PARENT = `
trap : TERM INT
exec 3<&0
"$0" "$@" 3<&- </dev/null &
server=$!
(cat <&3 >/dev/null; kill -KILL $server) 2>/dev/null &
while :; do
  wait $server; code=$?
  kill -0 $server 2>/dev/null || exit $code
done`;

/** @param {{name: string, ports: Ports, routes: number[], storeDir: string, token: string}} options */
const configuration = ({ name, ports, routes, storeDir, token }) => `
server_name: ${name}
listen: "127.0.0.1:${ports.client}"
http: "127.0.0.1:${ports.http}"
max_payload: ${MAX_PAYLOAD_BYTES}
authorization { token: "${token}" }
jetstream {
  store_dir: ${JSON.stringify(storeDir)}
  sync_interval: always
}
${
  routes.length === 1
    ? ''
    : `cluster {
  name: ${CLUSTER_NAME}
  no_advertise: true
  listen: "127.0.0.1:${ports.cluster}"
  authorization { user: route, password: "${token}" }
  routes: [${routes.map((port) => `"nats-route://route:${token}@127.0.0.1:${port}"`).join(', ')}]
}`
}`;

/** @typedef {{client: number, cluster: number, http: number}} Ports */

class NatsServer {
  #options;
  /** @type {Child | undefined} */
  #child;
  #expected = false;

  constructor(options) {
    this.#options = options;
    this.name = options.name;
    mkdirSync(options.dir, { recursive: true });
    this.file = join(options.dir, `${options.name}.conf`);
    writeFileSync(this.file, configuration({ ...options, storeDir: join(options.dir, options.name) }), { mode: 0o600 });
  }

  start() {
    if (this.#child !== undefined && this.#child.ended === null) throw new Error(`${this.name} is running already`);
    const { program, onLine, onDeath } = this.#options;
    const child = new Child({
      name: this.name,
      command: 'sh',
      args: ['-c', WITH_PARENT, program, '-c', this.file],
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
    const outcome = await waitUntilReady(`http://127.0.0.1:${this.#options.ports.http}/healthz`, child, READY_WITHIN_MS);
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
export async function startNatsServers({ count = 3, dir, token = randomBytes(24).toString('hex'), program, onLine, onDeath } = {}) {
  const path = program ?? (await ensureNatsServer());
  const folder = dir ?? mkdtempSync(join(tmpdir(), 'claret-nats-'));
  const free = await freePorts(3 * count);
  const ports = Array.from({ length: count }, (_, n) => ({ client: free[3 * n], cluster: free[3 * n + 1], http: free[3 * n + 2] }));
  const routes = ports.map(({ cluster }) => cluster);
  const servers = ports.map(
    (own, n) => new NatsServer({ name: `nats-${n}`, ports: own, routes, dir: folder, token, program: path, onLine, onDeath }),
  );
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
    addresses: ports.map(({ client }) => `127.0.0.1:${client}`),
    token,
    kill: (server, signal = 'SIGKILL') => servers[server].kill(signal),
    start: (server) => servers[server].start(),
    ready: async () => void (await Promise.all(servers.map((server) => server.ready()))),
    stop,
  };
}
