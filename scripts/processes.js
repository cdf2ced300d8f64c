// The processes of a cluster as a table, made from its options and ports alone: a process that is started again gets the same row. A further
// kind of process is a further kind of row.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inProject } from './paths.js';
import { node24 } from './setup/node24.js';

/** The kinds in the order of their starts: those of one line start together, need those of the lines above, and stop before them. */
export const STAGES = [['gateway'], ['auctions', 'timelines'], ['visitors']];

/** Built by scripts/setup/web.js. */
const DASHBOARD_DIR = inProject('ui', 'dashboard', 'dist');
const SPIKE_DRIVER = inProject('loadtest', 'load', 'spike', 'main.ts');
/** Longer than a gateway's limit for its last checkpoint (gateway/src/store/durable-shard.ts). */
const GATEWAY_STOP_MS = 45_000;
const HOST = '127.0.0.1';

/** @typedef {import('./run/service.js').Row} Row */

const urlOf = (port) => `http://${HOST}:${port}`;

/** The addresses of the gateways, in shard order. */
export const gatewayAddresses = (ports) => ports.gateways.map(({ rest, grpc }) => ({ grpc: `${HOST}:${grpc}`, rest: urlOf(rest) }));

/** @param {object} options see cluster.d.ts @param {object} ports @param {string | undefined} folder of the gateways' data @returns {Row[]} */
export function processes(options, ports, folder) {
  return [
    ...gatewayRows(options, ports, folder),
    ...appServerRows(options, ports, { site: 'rubis', kind: 'auctions', more: options.auctionFlags }),
    ...appServerRows(options, ports, { site: 'retwis', kind: 'timelines' }),
    ...(options.visitors ? visitorRows(options, ports) : []),
  ];
}

/** The gateways' flags with the sites' addresses, for the dashboard. */
function siteFlags({ auctions: [auctions], timelines: [timelines] }) {
  const sites = Object.entries({ auctions, timelines }).filter(([, port]) => port !== undefined);
  return sites.length === 0 ? [] : ['--site-urls', sites.map(([name, port]) => `${name}=${urlOf(port)}`).join(',')];
}

function gatewayRows({ dashboard, durability, logLevel }, ports, folder) {
  const pairs = ports.gateways.map(({ rest, grpc }) => `${HOST}:${grpc}/${HOST}:${rest}`).join(',');
  return ports.gateways.map(({ rest }, shard) => {
    const args = [inProject('gateway', 'src', 'main.ts'), '--shard', String(shard), '--cluster', pairs];
    if (folder) args.push('--data-dir', join(folder, `shard-${shard}`));
    if (dashboard) args.push('--dashboard-dir', DASHBOARD_DIR, '--spike-driver', SPIKE_DRIVER, ...siteFlags(ports));
    args.push('--durability', durability, '--log-level', logLevel);
    return { kind: 'gateway', name: `gateway ${shard}`, command: node24(), args, url: urlOf(rest), graceMs: GATEWAY_STOP_MS };
  });
}

/** Those that clients of the cluster are given. */
const grpcFlag = (ports) => [
  '--gateways',
  gatewayAddresses(ports)
    .map(({ grpc }) => grpc)
    .join(','),
];

function appServerRows({ dashboard, logLevel, registrationsPerHour }, ports, { site, kind, more = [] }) {
  return ports[kind].map((port, index) => {
    const args = [inProject('apps', site, 'server', 'main.ts'), '--port', String(port), ...grpcFlag(ports)];
    if (dashboard) args.push('--dashboard', gatewayAddresses(ports)[0].rest);
    if (registrationsPerHour !== undefined) args.push('--registrations-per-hour', String(registrationsPerHour));
    args.push('--log-level', logLevel, ...more);
    return { kind, name: `${kind} ${index}`, command: node24(), args, url: urlOf(port) };
  });
}

/** The visitors of each site that runs. A site without visitors has no program for them. */
function visitorRows({ seed }, ports) {
  const sites = [...(ports.auctions.length > 0 ? ['rubis'] : []), ...(ports.timelines.length > 0 ? ['retwis'] : [])];
  return sites
    .map((site) => ({ site, main: inProject('apps', site, 'server', 'visitors', 'main.ts') }))
    .filter(({ main }) => existsSync(main))
    .map(({ site, main }) => {
      const args = [main, ...grpcFlag(ports), ...(seed === undefined ? [] : ['--seed', String(seed)])];
      return { kind: 'visitors', name: `visitors of ${site}`, command: node24(), args, mayEnd: true };
    });
}
