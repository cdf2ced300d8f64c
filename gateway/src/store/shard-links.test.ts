// The shards settle the transactions of a dead client among themselves, over streams that their gateways open to each other.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientFrame, openSession, serverFrame } from '../testing/calls.ts';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(2, { sessionLeaseMs: 5_000 });
});
afterAll(() => cluster.close());

interface Participant {
  shard: number;
  /** Sends the attempt's only request: one add, with or without the prepare for both shards. */
  send(prepare: boolean): Promise<void>;
  /** Closes the client's connection without ending the attempt. */
  die(): void;
}

/** A client of one shard that adds 1 to `key` there, in the attempt `id`, which spans both shards. */
function participant(shard: number, id: Buffer, key: string): Participant {
  const { incarnation } = cluster.gateways[shard]!;
  const stream = openSession(cluster.grpcClient(shard));
  const replies: unknown[] = [];
  stream.on('data', (bytes: Buffer) => replies.push(...serverFrame(bytes).replies));
  stream.on('error', () => {});
  stream.write(clientFrame({ sequence: 1, hello: { protocol: 1, name: 'doomed' } }));
  return {
    shard,
    async send(prepare) {
      const begin = { id, label: 'Doomed', priority: 1, expiresInMs: 60_000 };
      const operations = [{ key, name: 'Counter.add', arguments: [{ integer: 1 }] }];
      stream.write(
        clientFrame({
          sequence: 2,
          incarnation,
          requests: [{ attempt: 1, begin, operations, ...(prepare && { prepare: { participants: [0, 1] } }) }],
        }),
      );
      await expect.poll(() => replies.length, { interval: 5 }).toBe(1);
      expect(replies[0]).toMatchObject({ error: null, votedAt: prepare ? expect.stringMatching(/^[1-9]/) : '0' });
    },
    die: () => stream.cancel(),
  };
}

const valueOf = async (key: string) =>
  (await cluster.gateways[0]!.rest.inject(`/v1/records/${key}?type=counter&operation=value`)).json().value;
const inFlight = () => cluster.gateways.map(({ host }) => host.counters().attemptsInFlight);

test.each([
  ['one that every shard has voted for is committed on all', true, 1],
  ['one that a shard has not voted for is aborted on all', false, 0],
])('%s', async (name, bothVote, expected) => {
  const id = randomBytes(16);
  const keys = [0, 1].map((shard) => cluster.keyOn(shard, `settled-${name.length}`));
  const [first, second] = [participant(0, id, keys[0]!), participant(1, id, keys[1]!)];
  await first.send(true);
  await second.send(bothVote);
  expect(inFlight()).toEqual([1, 1]);
  first.die();
  second.die();
  await expect.poll(inFlight, { interval: 10 }).toEqual([0, 0]);
  expect([await valueOf(keys[0]!), await valueOf(keys[1]!)]).toEqual([expected, expected]);
});
