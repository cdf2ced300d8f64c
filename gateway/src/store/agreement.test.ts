// Gateways that disagree on the settings of their cluster or on how far their logs have come.
import { afterEach, describe, expect, test } from 'vitest';
import { parseCluster } from '../cluster.ts';
import type { LogPoint } from '../log/lineage.ts';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';
import { Topology } from '../topology.ts';
import { Agreement, ClusterMismatch } from './agreement.ts';
import type { Greeting, GreetingAnswer } from './agreement.ts';

let cluster: TestCluster | undefined;
afterEach(async () => {
  await cluster?.close();
  cluster = undefined;
});

test.each([
  ['durability', { durability: 'async' as const }, /shard 0 at .* has the durability 'none', and this one 'async'/],
  ['cluster name', { clusterName: 'other' }, /shard 0 at .* has the cluster name 'claret', and this one 'other'/],
])('a gateway does not start beside one with another %s', async (_what, overrides, message) => {
  cluster = await startCluster(2);
  await expect(cluster.restart(1, overrides)).rejects.toThrow(message);
  await cluster.restart(1);
});

const topologyOf = (cluster: string, options: { replicated?: boolean; dealt?: number } = {}) =>
  new Topology({ members: parseCluster(cluster), durability: 'sync', clusterName: 'claret', replicated: false, ...options });
const VIEW = { clusterName: 'claret', durability: 'sync', addresses: ['h:1', 'h:3'], dealt: 2 };
const ANSWER: GreetingAnswer = { ...VIEW, point: null, known: null, refusal: '', slots: [] };
const NOTHING = { addresses: { grpc: '', rest: '' }, slots: [] };

test('gateways that start together detect a mismatch as soon as they reach each other', async () => {
  let answer: GreetingAnswer | null = null;
  const peers = { greet: () => (answer === null ? Promise.reject(new Error('not there yet')) : Promise.resolve(answer)) };
  const agreement = new Agreement(topologyOf('h:1/h:2,h:3/h:4'), 0, peers, null);
  const silent: string[] = [];
  agreement.onSilent = (why) => silent.push(why);
  const heard = new Promise<ClusterMismatch>((resolve) => (agreement.onMismatch = resolve));
  await agreement.begin();
  expect(silent).toEqual(['not there yet']);
  answer = { ...ANSWER, addresses: ['h:1', 'h:5'] };
  expect((await heard).message).toBe(
    "the gateway of shard 1 at h:3 has the shards 'h:1, h:5', and this one 'h:1, h:3': all gateways of a cluster need the same",
  );
});

test('gateways of a replicated cluster may know different owners', async () => {
  const peers = { greet: async () => ({ ...ANSWER, addresses: ['h:1', 'h:5'] }) };
  await expect(new Agreement(topologyOf('h:1/h:2,h:3/h:4', { replicated: true }), 0, peers, null).begin()).resolves.toBeUndefined();
});

test('gateways may know different numbers of shards, but not deal the slots among different ones', async () => {
  const begin = (answer: Partial<GreetingAnswer>) => {
    const peers = { greet: async () => ({ ...ANSWER, ...answer }) };
    return new Agreement(topologyOf('h:1/h:2,h:3/h:4,h:5/h:6', { dealt: 2 }), 2, peers, null).begin();
  };
  await begin({});
  await expect(begin({ dealt: 3 })).rejects.toThrow("has the number of shards among which slots were dealt '3', and this one '2'");
});

test('a shard that greets a cluster joins it, and each learns the slots of the other', async () => {
  const topology = topologyOf('h:1/h:2,h:3/h:4');
  const agreement = new Agreement(topology, 0, { greet: async () => ANSWER }, null);
  agreement.ownSlots = () => [{ first: 0, last: 5, version: 3 }];
  const greeting = {
    shard: 2,
    point: null,
    known: null,
    addresses: { grpc: 'h:5', rest: 'h:6' },
    slots: [{ first: 9, last: 9, version: 1 }],
  };
  expect(agreement.answer(greeting).slots).toEqual([{ first: 0, last: 5, version: 3 }]);
  expect(topology.members[2]).toEqual({ shard: 2, grpc: 'h:5', rest: 'h:6', slots: [{ first: 9, last: 9, version: 1 }] });
  const unknown = { ...greeting, shard: 4 };
  expect(() => agreement.answer(unknown)).toThrow(/Shard 4 is not another one/);
  agreement.close();
});

test('a greeting says where the Redis door is, and the next one that it is gone', async () => {
  const greetings: Greeting[] = [];
  const peers = { greet: async (_: unknown, greeting: Greeting) => (greetings.push(greeting), ANSWER) };
  const topology = topologyOf('h:1/h:2/h:7,h:3/h:4');
  const agreement = new Agreement(topology, 0, peers, null);
  await agreement.begin();
  expect(greetings[0]!.addresses).toEqual({ grpc: 'h:1', rest: 'h:2', resp: 'h:7' });
  const greeting = { shard: 1, point: null, known: null, slots: [] };
  const told = (resp: string | undefined) => {
    agreement.answer({ ...greeting, addresses: { grpc: 'h:3', rest: 'h:4', resp } });
    return topology.members[1]!.resp;
  };
  expect(['h:8', undefined].map(told)).toEqual(['h:8', undefined]);
  agreement.close();
});

describe('how far the logs have come:', () => {
  const point = (incarnation: number, position: number): LogPoint => ({ log: 'a log', incarnation, position });

  /** Shard 0, whose log has been at these points, and the points of shard 1 that it has learned. */
  function gateway(been: LogPoint[], greet: (greeting: Greeting) => GreetingAnswer) {
    const learned: LogPoint[] = [];
    const greetings: Greeting[] = [];
    const kept = {
      point: () => been.at(-1)!,
      hasBeenAt: (asked: LogPoint) =>
        been.some(({ incarnation, position }) => incarnation === asked.incarnation && position === asked.position),
      logs: { of: () => learned.at(-1) ?? null, learn: (_: number, reported: LogPoint) => learned.push(reported) > 0 },
    };
    const peers = { greet: (_: unknown, greeting: Greeting) => (greetings.push(greeting), Promise.resolve().then(() => greet(greeting))) };
    const agreement = new Agreement(topologyOf('h:1/h:2,h:3/h:4'), 0, peers, kept);
    return { agreement, learned, greetings };
  }
  const pointsOf = ({ shard, point: end, known }: Greeting) => ({ shard, point: end, known });
  const fine: GreetingAnswer = { ...ANSWER, point: point(7, 70) };

  test('a gateway whose log lacks what another one knows of it ends before it reports anything', async () => {
    const { agreement, greetings, learned } = gateway([point(5, 50)], () => ({ ...fine, known: point(4, 60) }));
    await expect(agreement.begin()).rejects.toThrow(
      /^the log of shard 0 ends early: it had told the gateway of shard 1 at h:3 of entry 60 of its start 4, and now ends with entry 50 /,
    );
    expect([greetings.map(pointsOf), learned]).toEqual([[{ shard: 0, point: null, known: null }], []]);
  });

  test('a gateway with a complete log reports its end, and learns that of the other', async () => {
    const { agreement, greetings, learned } = gateway([point(4, 60), point(5, 80)], () => ({ ...fine, known: point(4, 60) }));
    await agreement.begin();
    agreement.close();
    expect([greetings.map(pointsOf), learned]).toEqual([
      [
        { shard: 0, point: null, known: null },
        { shard: 0, point: point(5, 80), known: null },
      ],
      [point(7, 70)],
    ]);
  });

  test('nothing is learned from a gateway that must end, and it is greeted again', async () => {
    const { agreement, learned } = gateway([point(5, 50)], ({ point: reported }) => ({
      ...fine,
      refusal: reported === null ? '' : 'it has lost something',
    }));
    const silent: string[] = [];
    agreement.onSilent = (why) => silent.push(why);
    await agreement.begin();
    agreement.close();
    expect([learned, silent]).toEqual([[], ['it has lost something']]);
  });

  test('a gateway that learns of its loss from a greeting answers, ends, and learns nothing from it', async () => {
    const { agreement, learned } = gateway([point(5, 50)], () => fine);
    const heard = new Promise<ClusterMismatch>((resolve) => (agreement.onMismatch = resolve));
    const { refusal } = agreement.answer({ ...NOTHING, shard: 1, point: point(9, 90), known: point(5, 51) });
    expect(refusal).toMatch(/ends early: .* of entry 51 of its start 5/);
    expect((await heard).message).toBe(refusal);
    expect(learned).toEqual([]);
    expect(agreement.answer({ ...NOTHING, shard: 1, point: point(9, 90), known: point(5, 50) })).toEqual({
      ...ANSWER,
      point: point(5, 50),
      known: point(9, 90),
      refusal: '',
    });
    expect(() => agreement.answer({ ...NOTHING, shard: 2, point: null, known: null })).toThrow(/Shard 2 is not another one/);
  });
});
