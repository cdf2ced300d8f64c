// What the demo says once it is up: where everything is, and what to try.
import { seconds } from './progress.js';

const number = (value) => Math.round(value).toLocaleString('en');

/** @param {{records: number, entries: number, seconds: number}} restored */
function restoredLine({ records, entries, seconds: took }) {
  const rate = took > 0 ? ` (${number(records / took)} records/s)` : '';
  return `  Restored ${number(records)} records and ${number(entries)} log entries in ${seconds(1000 * took)}${rate}.`;
}

const line = (name, text) => `  ${name.padEnd(9)}  ${text}`;

/**
 * @typedef {import('../cluster.js').GatewayAddress} GatewayAddress
 * @param {import('../cluster.js').Cluster} cluster
 * @param {string} kept what becomes of the data, in a sentence
 * @param {GatewayAddress[] | null} owners of a replicated cluster, as of now; null: it is not replicated
 */
export function announcement(cluster, kept, owners) {
  const lines = ['', 'Claret is up.', '', line('dashboard', cluster.dashboard)];
  for (const { url } of cluster.auctions) lines.push(line('auctions', url));
  for (const { url } of cluster.timelines) lines.push(line('timelines', url));
  const [{ resp: door }] = cluster.gateways;
  if (door !== undefined) lines.push(line('Redis', `redis-cli -p ${portOf(door)}`));
  cluster.gateways.forEach((gateway, at) => {
    const role = owners === null ? '' : `${roleOf(gateway, owners)}, process ${gateway.pid}  `;
    const redis = gateway.resp === undefined ? '' : `, Redis at ${gateway.resp}`;
    lines.push(line(`gateway ${at}`, `${gateway.rest}  ${role}(API at ${gateway.rest}/docs, gRPC at ${gateway.grpc}${redis})`));
  });
  if (owners !== null) lines.push(...natsLines(cluster));
  lines.push('');
  if (owners !== null) lines.push(...thingsToTry(cluster, owners));
  if (cluster.restored.records + cluster.restored.entries > 0) lines.push(restoredLine(cluster.restored));
  lines.push(`  ${kept} Ctrl-C stops everything.`, '');
  return lines.join('\n');
}

/** @param {string} address host:port */
const portOf = (address) => address.slice(address.lastIndexOf(':') + 1);

/** @param {GatewayAddress} gateway @param {GatewayAddress[]} owners */
function roleOf({ rest }, owners) {
  const shard = owners.findIndex((owner) => owner.rest === rest);
  return shard < 0 ? 'standby' : `owner of shard ${shard}`;
}

const natsLines = ({ natsServers, natsTokenFile }) => [
  ...natsServers.map(({ address, monitoring, pid }, at) => line(`NATS ${at}`, `${address}  process ${pid}  (monitoring at ${monitoring})`)),
  line('', `The NATS servers' token is in ${natsTokenFile}.`),
];

/** Nothing takes the shard over where there is no standby. */
function thingsToTry({ gateways }, owners) {
  if (gateways.length === owners.length) return [];
  const [owner] = owners;
  const name = `gateway ${gateways.findIndex(({ rest }) => rest === owner.rest)}`;
  return [
    `  Try: kill -9 ${owner.pid}   (${name}, the owner of shard 0). A standby takes the shard over within seconds, and all pages go on.`,
  ];
}
