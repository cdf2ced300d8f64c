// NATS servers with everything that a replicated log asks of them: their configuration, written here alone, and the command that runs one.
//
// A server keeps all that it has in one folder, `nats-0`, `nats-1`, …: `server.conf`, `lock`, and its data in `jetstream`. It runs in the name
// of the process that started it and ends with it. Only one may run on a folder at a time.
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The server's default, set explicitly because the log relies on it (gateway/src/log/jetstream/frames.ts). */
const MAX_PAYLOAD_BYTES = 1 << 20;
const CLUSTER_NAME = 'claret';
const HOST = '127.0.0.1';

/** How many servers a replicated log is on: it goes on without one of them. */
export const NATS_SERVERS = 3;
/** Answers 200 once the server agrees with the others on a leader, and has what they have. */
export const READY_PATH = '/healthz';

/**
 * @typedef {{client: number, cluster: number, http: number}} NatsPorts
 * @typedef {{name: string, folder: string, file: string, host: string, ports: NatsPorts}} NatsServer
 */

/** @param {string} dir @param {NatsPorts[]} ports @param {readonly string[]} [hosts] default: this machine's loopback address @returns {NatsServer[]} */
export const natsServers = (dir, ports, hosts = []) =>
  ports.map((own, at) => {
    const name = `nats-${at}`;
    const folder = join(dir, name);
    return { name, folder, file: configurationFile(folder), host: hosts[at] ?? HOST, ports: own };
  });

/** @param {string} folder of a server */
export const configurationFile = (folder) => join(folder, 'server.conf');
/** Locked while a server runs on the folder. @param {string} folder of a server */
export const lockFile = (folder) => join(folder, 'lock');

/** @param {NatsServer} server @returns {string} host:port for clients */
export const natsAddress = ({ host, ports }) => `${host}:${ports.client}`;
/** @param {NatsServer} server @returns {string} base URL of its monitoring */
export const monitoringUrl = ({ host, ports }) => `http://${host}:${ports.http}`;

export const newToken = () => randomBytes(24).toString('hex');
/** @param {string} dir of the servers' folders */
export const tokenFile = (dir) => join(dir, 'nats-token');

/** The token of servers that outlive a start: made once, and readable by its owner alone. @param {string} dir of the servers' folders */
export function keptToken(dir) {
  const file = tokenFile(dir);
  mkdirSync(dir, { recursive: true });
  if (!existsSync(file)) writeFileSync(file, `${newToken()}\n`, { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}

/** Writes the configuration of all servers of a cluster. @param {NatsServer[]} servers @param {string} token of clients and of the servers themselves */
export function configure(servers, token) {
  const routes = servers.map(({ host, ports }) => `${host}:${ports.cluster}`);
  for (const server of servers) {
    mkdirSync(server.folder, { recursive: true });
    writeFileSync(server.file, configuration(server, routes, token), { mode: 0o600 });
    chmodSync(server.file, 0o600); // it may have been there
  }
}

const configuration = ({ name, folder, host, ports }, routes, token) => `
server_name: ${name}
listen: "${host}:${ports.client}"
http: "${host}:${ports.http}"
max_payload: ${MAX_PAYLOAD_BYTES}
authorization { token: "${token}" }
jetstream {
  store_dir: ${JSON.stringify(folder)}
  sync_interval: always
}
${routes.length === 1 ? '' : clusterOf(`${host}:${ports.cluster}`, routes, token)}`;

const clusterOf = (own, routes, token) => `cluster {
  name: ${CLUSTER_NAME}
  no_advertise: true
  listen: "${own}"
  authorization { user: route, password: "${token}" }
  routes: [${routes.map((address) => `"nats-route://route:${token}@${address}"`).join(', ')}]
}
`;

/**
 * nats-server knows nothing of a standard input, so a shell waits beside it for the end of that of its parent. The server takes the place of
 * the script's own shell: its process id, its signals and its exit code are the server's. The lock is held by the server alone: whoever
 * waits beside it was there before the lock. Exit code 2: another server has it.
 */
const SCRIPT = `
exec 3<&0
(cat <&3 >/dev/null; kill -KILL $$) >/dev/null 2>&1 &
exec 9>"$2"
flock -n 9 || { echo "$3 is in use by another NATS server: stop it first, or use another data directory" >&2; exit 2; }
exec "$0" -c "$1" 3<&- </dev/null`;

/** @param {string} program path of nats-server @param {NatsServer} server @returns {{command: string, args: string[]}} */
export const natsCommand = (program, { file, folder }) => ({
  command: 'sh',
  args: ['-c', SCRIPT, program, file, lockFile(folder), folder],
});
