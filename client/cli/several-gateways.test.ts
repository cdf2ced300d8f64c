// Several gateways named on the command line, on a real cluster.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster, type TestCluster } from '../../gateway/src/testing/cluster.ts';
import { freePorts } from '../../scripts/run/ports.js';
import { claret } from './testing.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(2);
});
afterAll(() => cluster.close());

test('the first one that is there is asked', async () => {
  const [port] = await freePorts(1);
  const dead = `127.0.0.1:${port}`;
  const CLARET_GATEWAY = `${dead}, ${cluster.gateways[1]!.member.rest}`;
  const added = await claret(['Counter.add', 'beside', '1'], { env: { CLARET_GATEWAY } });
  expect(added).toEqual({ code: 0, out: 'ok\n', err: '' });
  expect((await claret(['conditions', '--gateway', CLARET_GATEWAY])).out).toContain('locks');
  expect((await claret(['shards', '--gateway', `${dead},${dead}`])).err).toContain(`No gateway at ${dead}, ${dead}.`);
  expect((await claret(['shards', '--gateway', ','])).code).toBe(2);
});
