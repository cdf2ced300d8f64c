// Natives on records whose slot moves: the old owner refuses them, and they are sent to the new one.
import { expect, test } from 'vitest';
import { connect } from '../connect.ts';
import { keyOn } from '../testing/keys.ts';
import { ScriptedShard } from '../testing/scripted-shard.ts';
import { evenTopology } from '../topology/topology.ts';
import { LocalTransport } from '../transport/local.ts';

const A = keyOn(0, 'a');
const OTHER = keyOn(0, 'other');

/** Answers for the topology only when it is told to. */
class SlowTransport extends LocalTransport {
  answers = Promise.resolve();

  override async topology(address: string) {
    await this.answers;
    return super.topology(address);
  }
}

/** A client of two scripted shards; from `move` on, the topology says that they have exchanged their slots. */
async function twoShards() {
  const shards = [new ScriptedShard(0), new ScriptedShard(1)] as const;
  let moved = false;
  const transport = new SlowTransport({
    shards: new Map([
      ['s0', shards[0]],
      ['s1', shards[1]],
    ]),
    topology: () => {
      const { shards: even, ...rest } = evenTopology(['s0', 's1'], moved ? 2 : 1);
      return { ...rest, shards: even.map((shard, i) => ({ ...shard, slots: even[moved ? 1 - i : i]!.slots })) };
    },
  });
  const client = await connect({ addresses: ['s0'], transport });
  return { shards, client, transport, move: () => void (moved = true) };
}

const refusal = (number: string) => ({ number, error: { code: 'wrong_shard', message: 'moved', retryable: true } });
const withNatives = (frame: any) => frame.natives.length > 0;

test('natives that are refused since their record has moved are sent to its new owner, in order', async () => {
  const {
    shards: [old, owner],
    client,
    move,
  } = await twoShards();
  const first = client.native.counter(A).add(1);
  const second = client.native.counter(A).value();
  await old.frame(withNatives);
  move();
  old.say({ nativesFailed: [refusal('1'), refusal('2')] });
  const sent = await owner.frame(withNatives);
  expect(sent.natives[0].operations.map(({ key }: any) => key)).toEqual([A, A]);
  owner.say({ natives: [{ first: '1', count: '2', at: '5', results: [{ integer: '1' }] }] });
  expect([await first, await second]).toEqual([undefined, 1]);
  expect(client.counters).toMatchObject({ natives: 2, nativesFailed: 0, nativesResent: 2 });
  await client.close(0);
});

test('a native that is issued while an earlier one on its record waits for the new owner comes behind it', async () => {
  const {
    shards: [old, owner],
    client,
    transport,
    move,
  } = await twoShards();
  const first = client.native.counter(A).add(1);
  await old.frame(withNatives);
  old.heard = [];
  move();
  let answer = () => {};
  transport.answers = new Promise((resolve) => (answer = resolve));
  old.say({ nativesFailed: [refusal('1')] });
  await new Promise((resolve) => setImmediate(resolve));
  const second = client.native.counter(A).value();
  client.native
    .counter(OTHER)
    .add(1)
    .catch(() => {});
  const elsewhere = await old.frame(withNatives);
  expect(elsewhere.natives[0].operations.map(({ key }: any) => key)).toEqual([OTHER]);
  answer();
  const sent = await owner.frame(withNatives);
  expect(sent.natives[0].operations).toHaveLength(2);
  owner.say({ natives: [{ first: '1', count: '2', at: '5', results: [{ integer: '1' }] }] });
  expect([await first, await second]).toEqual([undefined, 1]);
  await client.close(0);
});

test('a native waits while the old owner has not answered an earlier one on its record, also if the topology is newer', async () => {
  const {
    shards: [old, owner],
    client,
    move,
  } = await twoShards();
  const first = client.native.counter(A).add(1);
  const other = client.native.counter(OTHER).add(1);
  await old.frame(withNatives);
  move();
  old.say({ nativesFailed: [refusal('2')] });
  const moved = await owner.frame(withNatives);
  expect(moved.natives[0].operations.map(({ key }: any) => key)).toEqual([OTHER]);
  owner.say({ natives: [{ first: '1', count: '1', at: '4' }] });
  await other;
  owner.heard = [];
  const second = client.native.counter(A).value();
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(owner.heard.filter(withNatives), 'the first one may yet be executed at its old owner').toEqual([]);
  old.say({ nativesFailed: [refusal('1')] });
  const sent = await owner.frame(withNatives);
  expect(sent.natives[0].operations).toHaveLength(2);
  owner.say({ natives: [{ first: '2', count: '2', at: '5', results: [{ integer: '1' }] }] });
  expect([await first, await second]).toEqual([undefined, 1]);
  await client.close(0);
});

test('a native that was refused in a lost session is sent again', async () => {
  const {
    shards: [old, owner],
    client,
    move,
  } = await twoShards();
  const change = client.native.counter(A).add(1);
  await old.frame(withNatives);
  old.heard = [];
  old.resumed = { known: true, nativesFailed: [refusal('1')] };
  old.breakSession();
  await old.frame(withNatives);
  move();
  old.say({ nativesFailed: [refusal('1')] });
  await owner.frame(withNatives);
  owner.say({ natives: [{ first: '1', count: '1', at: '5' }] });
  expect(await change).toBeUndefined();
  await client.close(0);
});

test('natives that wait for the new owner are rejected when the client is closed', async () => {
  const {
    shards: [old],
    client,
  } = await twoShards();
  const change = client.native.counter(A).add(1);
  change.catch(() => {});
  await old.frame(withNatives);
  old.heard = [];
  old.say({ nativesFailed: [refusal('1')] });
  await old.frame(withNatives);
  old.say({ nativesFailed: [refusal('2')] });
  await new Promise((resolve) => setImmediate(resolve));
  await client.close(0);
  await expect(change).rejects.toMatchObject({ code: 'client_closed' });
});
