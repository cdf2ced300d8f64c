// `claret top` beside a client whose transactions are sent whole.
import { connect } from '@claret/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster, type TestCluster } from '../../gateway/src/testing/cluster.ts';
import { claret } from './testing.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(2);
});
afterAll(() => cluster.close());

const top = async () => {
  const { out } = await claret(['top', '--once'], { env: { CLARET_GATEWAY: cluster.gateways[0]!.member.rest }, columns: 120 });
  return out;
};

test('top has a column for members of chains while there are any', async () => {
  expect(await top()).not.toContain('members/s');
  const crowd = await connect({ addresses: cluster.gateways.map(({ member }) => member.grpc), combining: 'on' });
  let runs = true;
  const adding = (async () => {
    while (runs) await crowd.transact('Add', [crowd.on.counter('crowd').add(1)]);
  })();
  await expect.poll(top, { timeout: 20_000 }).toMatch(/members\/s {2}commits\/s/);
  runs = false;
  await adding;
  await crowd.close();
}, 60_000);
