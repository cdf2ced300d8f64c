// The processes of a cluster as a table, made from its options, ports and NATS servers alone: a process that is started again gets the same
// row. A further kind of process is a further kind of row.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { READY_PATH, monitoringUrl, natsAddress, natsCommand } from './nats/configuration.js';
import { inProject } from './paths.js';
import { node24 } from './setup/node24.js';

/** The kinds in the order of their starts: those of one line start together, need those of the lines above, and stop before them. */
export const STAGES = [['nats'], ['gateway'], ['auctions', 'timelines'], ['visitors']];

/** Built by scripts/setup/web.js. */
const DASHBOARD_DIR = inProject('ui', 'dashboard', 'dist');
const SPIKE_DRIVER = inProject('loadtest', 'load', 'spike', 'main.ts');
/** Longer than a gateway's limit for its last checkpoint (gateway/src/store/durable-shard.ts). */
const GATEWAY_STOP_MS = 45_000;
const HOST = '127.0.0.1';

/** @typedef {import('./run/service.js').Row} Row */

const urlOf = (port) => `http://${HOST}:${port}`;

/** The ports of all gateways: in shard order, then those of the standbys. */
const gatewayPorts = ({ gateways, standbys = [] }) => [...gateways, ...standbys];
/** The addresses of all gateways, in the same order. */
export const gatewayAddresses = (ports) =>
  gatewayPorts(ports).map(({ rest, grpc, resp }) => ({
    grpc: `${HOST}:${grpc}`,
    rest: urlOf(rest),
    ...(resp !== undefined && { resp: `${HOST}:${resp}` }),
  }));

/** What a gateway keeps: of its shard, or with a replicated log of the gateway, since any of them may have any shard. */
export const gatewayFolder = (folder, gateway, isReplicated) => join(folder, `${isReplicated ? 'gateway' : 'shard'}-${gateway}`);

/**
 * The NATS servers of a replicated log.
 * @typedef {{program: string, token: string, servers: import('./nats/configuration.js').NatsServer[]}} Nats
 * @param {object} options see cluster.d.ts @param {object} ports @param {string | undefined} folder of the gateways' data
 * @param {Nats | null} nats null: each log is local
 * @returns {Row[]}
 */
export function processes(options, ports, folder, nats) {
  return [
    ...natsRows(options, nats),
    ...gatewayRows(options, ports, folder, nats),
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

/** nats-server has no level of importance for its lines: at the usual ones, only why it ends is of interest. */
const isNatsNews = (logLevel) => (line) => /^(debug|info)$/.test(logLevel) || (logLevel !== 'silent' && line.includes('[FTL]'));

function natsRows({ logLevel }, nats) {
  if (nats === null) return [];
  return nats.servers.map((server, at) => ({
    kind: 'nats',
    name: `NATS server ${at}`,
    ...natsCommand(nats.program, server),
    url: monitoringUrl(server),
    readyPath: READY_PATH,
    isNews: isNatsNews(logLevel),
  }));
}

function gatewayRows({ dashboard, durability, logLevel, dealtShards, gatewayFlags = [] }, ports, folder, nats) {
  const placeOf = ({ rest, grpc, resp }) =>
    [grpc, rest, resp]
      .filter(Boolean)
      .map((port) => `${HOST}:${port}`)
      .join('/');
  const cluster = ports.gateways.map(placeOf).join(',');
  return gatewayPorts(ports).map((own, gateway) => {
    const place = gateway < ports.gateways.length ? ['--shard', String(gateway)] : ['--standby', placeOf(own)];
    const args = [inProject('gateway', 'src', 'main.ts'), ...place, '--cluster', cluster];
    if (dealtShards !== undefined) args.push('--dealt-shards', String(dealtShards));
    if (folder) args.push('--data-dir', gatewayFolder(folder, gateway, nats !== null));
    if (dashboard) args.push('--dashboard-dir', DASHBOARD_DIR, '--spike-driver', SPIKE_DRIVER, ...siteFlags(ports));
    args.push('--durability', durability, '--log-level', logLevel, ...gatewayFlags);
    const row = { kind: 'gateway', name: `gateway ${gateway}`, command: node24(), args, url: urlOf(own.rest), graceMs: GATEWAY_STOP_MS };
    if (nats === null) return row;
    args.push('--log', 'jetstream', '--nats', nats.servers.map(natsAddress).join(','));
    return { ...row, env: { CLARET_NATS_TOKEN: nats.token } }; // anybody may read command lines
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
