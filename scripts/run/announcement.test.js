import assert from 'node:assert/strict';
import { test } from 'node:test';
import { announcement } from './announcement.js';

const gatewayAt = (port, pid) => ({ rest: `http://127.0.0.1:${port}`, grpc: `127.0.0.1:${port + 1}`, pid });
const gateways = [gatewayAt(7400, 11), gatewayAt(7402, 12), gatewayAt(7404, 13)];
const cluster = {
  dashboard: gateways[0].rest,
  auctions: [{ url: 'http://127.0.0.1:7410', pid: 21 }],
  timelines: [],
  gateways,
  natsServers: [{ address: '127.0.0.1:7460', monitoring: 'http://127.0.0.1:7466', pid: 31 }],
  natsTokenFile: '/data/nats-token',
  restored: { records: 0, entries: 0, seconds: 0 },
};

test('the announcement of a cluster with local logs has its addresses, and no word of replication', () => {
  const text = announcement({ ...cluster, natsServers: [], natsTokenFile: null }, 'Kept.', null);
  assert.match(
    text,
    /\n {2}gateway 1 {2}http:\/\/127\.0\.0\.1:7402 {2}\(API at http:\/\/127\.0\.0\.1:7402\/docs, gRPC at 127\.0\.0\.1:7403\)\n/,
  );
  assert.doesNotMatch(text, /NATS|standby|owner|Restored|Try|Redis/);
  assert.match(text, /\n {2}Kept\. Ctrl-C stops everything\.\n/);
});

test('Redis doors are announced with the command that opens one', () => {
  const doors = gateways.map((gateway, at) => ({ ...gateway, resp: `127.0.0.1:${7430 + at}` }));
  const text = announcement({ ...cluster, gateways: doors }, 'Kept.', null);
  assert.match(text, /\n {2}Redis {6}redis-cli -p 7430\n/);
  assert.match(text, /gateway 1 .*gRPC at 127\.0\.0\.1:7403, Redis at 127\.0\.0\.1:7431\)\n/);
});

test('that of a replicated cluster has the roles as they are, the NATS servers with their token, and what to try', () => {
  const text = announcement(cluster, 'Kept.', [gateways[2], gateways[1]]);
  assert.match(text, /gateway 0 {2}\S+ {2}standby, process 11 /);
  assert.match(text, /gateway 1 {2}\S+ {2}owner of shard 1, process 12 /);
  assert.match(text, /gateway 2 {2}\S+ {2}owner of shard 0, process 13 /);
  assert.match(text, /NATS 0 {5}127\.0\.0\.1:7460 {2}process 31 {2}\(monitoring at http:\/\/127\.0\.0\.1:7466\)\n/);
  assert.match(text, /token is in \/data\/nats-token\./);
  assert.match(text, /Try: kill -9 13 {3}\(gateway 2, the owner of shard 0\)\. A standby takes the shard over within seconds/);
});

test('without standbys nothing would take a shard over, and there is nothing to try', () => {
  assert.doesNotMatch(announcement({ ...cluster, gateways: gateways.slice(0, 2) }, 'Kept.', gateways.slice(0, 2)), /Try/);
});
