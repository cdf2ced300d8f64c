import assert from 'node:assert/strict';
import { test } from 'node:test';
import { natsServers } from './nats/configuration.js';
import { STAGES, gatewayAddresses, processes } from './processes.js';
import { portPlan } from './run/ports.js';

const planOf = (counts) =>
  portPlan({
    ...{ gatewayPort: 7400, respPort: 7430, auctionsPort: 7410, timelinesPort: 7420, natsPort: 7460 },
    ...{ shards: 2, standbys: 0, natsServers: 0, auctionServers: 1, timelineServers: 0, ...counts },
  });
const OPTIONS = { logLevel: 'warn', durability: 'sync', dashboard: true };

/** The rows of a cluster of two shards and two standbys. */
function replicatedRows(options = OPTIONS) {
  const ports = planOf({ standbys: 2, natsServers: 3 });
  const nats = { program: '/bin/nats-server', token: 'secret', servers: natsServers('/data', ports.nats) };
  const rows = processes(options, ports, '/data', nats);
  const of = (kind) => rows.filter((row) => row.kind === kind);
  return { ports, rows, servers: of('nats'), gateways: of('gateway'), apps: of('auctions') };
}

const flagOf = ({ args }, flag) => (args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined);

test('a cluster with local logs has no NATS servers, and a folder for each shard', () => {
  const rows = processes(OPTIONS, planOf({}), '/data', null);
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['gateway 0', 'gateway 1', 'auctions 0'],
  );
  assert.equal(flagOf(rows[1], '--data-dir'), '/data/shard-1');
  assert.equal(flagOf(rows[1], '--log'), undefined);
});

test('NATS servers start before the gateways and stop after them', () => {
  assert.deepEqual(STAGES.slice(0, 2), [['nats'], ['gateway']]);
  const { servers } = replicatedRows();
  assert.deepEqual(
    servers.map(({ name, url, readyPath }) => `${name} ${url}${readyPath}`),
    [0, 1, 2].map((at) => `NATS server ${at} http://127.0.0.1:${7466 + at}/healthz`),
  );
});

test('gateways of a replicated cluster use all NATS servers; the token is on no command line', () => {
  const { gateways, rows } = replicatedRows();
  for (const row of gateways) {
    assert.equal(flagOf(row, '--log'), 'jetstream');
    assert.equal(flagOf(row, '--nats'), '127.0.0.1:7460,127.0.0.1:7461,127.0.0.1:7462');
    assert.deepEqual(row.env, { CLARET_NATS_TOKEN: 'secret' });
  }
  assert.deepEqual(
    rows.filter(({ args }) => args.some((arg) => arg.includes('secret'))),
    [],
  );
});

test('standbys come after the shards, with addresses and folders of their own, and know the same cluster', () => {
  const { gateways } = replicatedRows();
  assert.deepEqual(
    gateways.map((row) => [row.name, flagOf(row, '--shard'), flagOf(row, '--standby'), flagOf(row, '--data-dir')]),
    [
      ['gateway 0', '0', undefined, '/data/gateway-0'],
      ['gateway 1', '1', undefined, '/data/gateway-1'],
      ['gateway 2', undefined, '127.0.0.1:7405/127.0.0.1:7404/127.0.0.1:7432', '/data/gateway-2'],
      ['gateway 3', undefined, '127.0.0.1:7407/127.0.0.1:7406/127.0.0.1:7433', '/data/gateway-3'],
    ],
  );
  assert.deepEqual(
    [...new Set(gateways.map((row) => flagOf(row, '--cluster')))],
    ['127.0.0.1:7401/127.0.0.1:7400/127.0.0.1:7430,127.0.0.1:7403/127.0.0.1:7402/127.0.0.1:7431'],
  );
});

test('a gateway has a Redis door where a port is planned for one', () => {
  const ports = planOf({});
  const without = { ...ports, gateways: ports.gateways.map(({ rest, grpc }) => ({ rest, grpc })) };
  const [row] = processes(OPTIONS, without, '/data', null);
  assert.equal(flagOf(row, '--cluster'), '127.0.0.1:7401/127.0.0.1:7400,127.0.0.1:7403/127.0.0.1:7402');
  assert.deepEqual(
    [ports, without].map((plan) => gatewayAddresses(plan)[0]),
    [
      { grpc: '127.0.0.1:7401', rest: 'http://127.0.0.1:7400', resp: '127.0.0.1:7430' },
      { grpc: '127.0.0.1:7401', rest: 'http://127.0.0.1:7400' },
    ],
  );
});

test('app servers know all gateways, so that they find the cluster whichever of them are away', () => {
  const { ports, apps } = replicatedRows();
  const all = gatewayAddresses(ports).map(({ grpc }) => grpc);
  assert.equal(all.length, 4);
  assert.equal(flagOf(apps[0], '--gateways'), all.join(','));
});

test('of what NATS servers write, the demo shows why they end; with the level info, everything', () => {
  const shown = (logLevel) => {
    const [{ isNews }] = replicatedRows({ ...OPTIONS, logLevel }).servers;
    return ['[7] [FTL] no room', '[7] [ERR] route refused', '[7] [INF] ready'].filter(isNews).length;
  };
  assert.deepEqual(['info', 'warn', 'error', 'silent'].map(shown), [3, 1, 1, 0]);
});
