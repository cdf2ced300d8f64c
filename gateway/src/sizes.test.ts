// Nothing that a client can send ends a session or a connection that it shares, or holds up the others on it: see testing/sizes.ts. A failing run
// prints its seed; set SEED to repeat it.
import { expect, test } from 'vitest';
import { unary, unpack } from './testing/calls.ts';
import { startCluster } from './testing/cluster.ts';
import { Sizes } from './testing/sizes.ts';

test('what is over a limit is refused alone, through every entrance', async () => {
  const { executed, counted } = await Sizes.run(40);
  expect(counted).toBe(executed);
});

test('a refusal does not repeat a key that is too long, which would end the connection', async () => {
  const cluster = await startCluster(1);
  try {
    const grpc = cluster.grpcClient(0);
    const call = (key: string, name: string) => unary(grpc, 'Transact', { operations: [{ key, name, arguments: [{ integer: 1 }] }] });
    const refused = (key: string) => call(key, 'Nothing.add').then(() => null, unpack);
    const [large, small, beside] = await Promise.all([refused('k'.repeat(900_000)), refused('k'), call('c', 'Counter.add')]);
    expect(large).toMatchObject({ code: 'unknown_type', metadata: { commit_state: 'none' } });
    expect(large!.metadata).not.toHaveProperty('key');
    expect(small).toMatchObject({ code: 'unknown_type', metadata: { key: 'k' } });
    expect(beside).toMatchObject({ results: [{}] });
  } finally {
    await cluster.close();
  }
});
