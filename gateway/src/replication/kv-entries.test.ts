// The entries of a cluster on three real NATS servers.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startNatsServers } from '../../../scripts/nats/servers.js';
import type { NatsServers } from '../../../scripts/nats/servers.js';
import { accessTo, natsServer } from '../log/jetstream/testing.ts';
import { KvEntries } from './kv-entries.ts';

const CLUSTERS = 8;
const GATEWAYS = 4;
const SOON = { interval: 20 };

describe.skipIf(natsServer === null)('the entries of a cluster', () => {
  let servers: NatsServers;
  beforeAll(async () => {
    servers = await startNatsServers({ program: natsServer! });
  });
  afterAll(() => servers.stop());

  test('are found by all gateways that start at once, where there was no bucket', async () => {
    for (let cluster = 0; cluster < CLUSTERS; cluster++) {
      const options = { access: accessTo(servers), clusterName: `new-${cluster}`, replicas: 3, name: 'test' };
      const opened = await Promise.all(Array.from({ length: GATEWAYS }, () => KvEntries.open(options)));
      const [first, ...others] = opened;
      const valueIn = (entries: KvEntries) => entries.get('shard.0').then((entry) => entry?.value);
      // A stream that was just created may not be heard of everywhere yet.
      await expect.poll(() => first!.set('shard.0', 'taken').then(() => valueIn(first!)), SOON).toBe('taken');
      for (const entries of others) await expect.poll(() => valueIn(entries), SOON).toBe('taken');
      await Promise.all(opened.map((entries) => entries.close()));
    }
  });
});
