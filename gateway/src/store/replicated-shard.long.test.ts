// A gateway whose log is on NATS servers of which most are dead.
import { connect } from '@claret/client';
import { describe, expect, test } from 'vitest';
import { startNatsServers } from '../../../scripts/nats/servers.js';
import { natsServer } from '../log/jetstream/testing.ts';
import { startCluster } from '../testing/cluster.ts';

describe.skipIf(natsServer === null)('while two of three NATS servers are dead,', () => {
  test('changes are refused with log_unavailable, durable state is read, and changes go on when the servers are back', async () => {
    const servers = await startNatsServers({ program: natsServer! });
    const nats = { log: 'jetstream', nats: servers.addresses.join(','), natsToken: servers.token } as const;
    const cluster = await startCluster(1, { ...nats, durability: 'sync' });
    const claret = await connect({ addresses: cluster.gateways.map(({ member }) => member.grpc) });
    try {
      const { rest } = cluster.gateways[0]!;
      const add = (key: string) =>
        rest.inject({ method: 'POST', url: `/v1/records/${key}`, payload: { type: 'counter', operation: 'add', arguments: [1] } });
      expect((await add('a')).statusCode).toBe(200);
      for (const server of [0, 1]) await servers.kill(server);
      void add('a'); // whether this one is stored is open
      await expect.poll(async () => (await rest.inject('/metrics')).body).toContain('claret_log_unavailable 1');
      // The session with the unanswered change was closed; until the next one is open, an outcome may be unknown.
      await expect.poll(async () => (await add('b')).json()).toMatchObject({ status: 503, code: 'log_unavailable' });
      await expect(claret.transact('Add', [claret.on.counter('c').add(1)], { timeoutMs: 10_000 })).rejects.toMatchObject({
        cause: 'log_unavailable',
        commitState: 'none',
      });
      const [none] = await claret.transact('Count', [claret.on.counter('c').value()]);
      expect(none).toBe(0);
      for (const server of [0, 1]) servers.start(server);
      await servers.ready();
      await expect.poll(async () => (await add('b')).statusCode).toBe(200);
      expect((await rest.inject('/metrics')).body).toContain('claret_log_unavailable 0');
    } finally {
      await claret.close();
      await cluster.close();
      await servers.stop();
    }
  });
});
