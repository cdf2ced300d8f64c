// Gateways that take their cluster to be different ones.
import { afterEach, describe, expect, test } from 'vitest';
import { parseCluster } from '../cluster.ts';
import type { LogPlace } from '../log/lineage.ts';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';
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

test('gateways that start together hear of it as soon as they reach each other', async () => {
  const members = parseCluster('h:1/h:2,h:3/h:4');
  const own = { clusterName: 'claret', durability: 'sync', addresses: ['h:1', 'h:3'] };
  let answer: GreetingAnswer | null = null;
  const peers = { greet: () => (answer === null ? Promise.reject(new Error('not there yet')) : Promise.resolve(answer)) };
  const agreement = new Agreement(own, 0, members, peers, null);
  const silent: string[] = [];
  agreement.onSilent = (why) => silent.push(why);
  const heard = new Promise<ClusterMismatch>((resolve) => (agreement.onMismatch = resolve));
  await agreement.begin();
  expect(silent).toEqual(['not there yet']);
  answer = { ...own, addresses: ['h:1', 'h:5'], place: null, known: null, refusal: '' };
  expect((await heard).message).toBe(
    "the gateway of shard 1 at h:3 has the shards 'h:1, h:5', and this one 'h:1, h:3': all gateways of a cluster need the same",
  );
});

describe('how far the logs have come', () => {
  const members = parseCluster('h:1/h:2,h:3/h:4');
  const view = { clusterName: 'claret', durability: 'sync', addresses: ['h:1', 'h:3'] };
  const place = (incarnation: number, position: number): LogPlace => ({ log: 'a log', incarnation, position });

  /** Shard 0, whose log has been at these places, and what it has learned of shard 1. */
  function gateway(been: LogPlace[], greet: (greeting: Greeting) => GreetingAnswer) {
    const learned: LogPlace[] = [];
    const greetings: Greeting[] = [];
    const kept = {
      place: () => been.at(-1)!,
      hasBeenAt: (one: LogPlace) => been.some(({ incarnation, position }) => incarnation === one.incarnation && position === one.position),
      logs: { of: () => learned.at(-1) ?? null, learn: (_: number, one: LogPlace) => learned.push(one) > 0 },
    };
    const peers = { greet: (_: unknown, greeting: Greeting) => (greetings.push(greeting), Promise.resolve().then(() => greet(greeting))) };
    const agreement = new Agreement(view, 0, members, peers, kept);
    return { agreement, learned, greetings };
  }
  const fine: GreetingAnswer = { ...view, place: place(7, 70), known: null, refusal: '' };

  test('one that lacks what another knows of it ends before it tells anything', async () => {
    const { agreement, greetings, learned } = gateway([place(5, 50)], () => ({ ...fine, known: place(4, 60) }));
    await expect(agreement.begin()).rejects.toThrow(
      /^the log of shard 0 ends early: it had told the gateway of shard 1 at h:3 of entry 60 of its start 4, and now ends with entry 50 /,
    );
    expect([greetings, learned]).toEqual([[{ shard: 0, place: null, known: null }], []]);
  });

  test('one that is whole says so, and learns of the other', async () => {
    const { agreement, greetings, learned } = gateway([place(4, 60), place(5, 80)], () => ({ ...fine, known: place(4, 60) }));
    await agreement.begin();
    agreement.close();
    expect([greetings, learned]).toEqual([
      [
        { shard: 0, place: null, known: null },
        { shard: 0, place: place(5, 80), known: null },
      ],
      [place(7, 70)],
    ]);
  });

  test('of one that must end nothing is learned, and it is asked again', async () => {
    const { agreement, learned } = gateway([place(5, 50)], ({ place: told }) => ({
      ...fine,
      refusal: told === null ? '' : 'it has lost something',
    }));
    const silent: string[] = [];
    agreement.onSilent = (why) => silent.push(why);
    await agreement.begin();
    agreement.close();
    expect([learned, silent]).toEqual([[], ['it has lost something']]);
  });

  test('one that is told what it lacks answers, and ends; what it is told then does not count', async () => {
    const { agreement, learned } = gateway([place(5, 50)], () => fine);
    const heard = new Promise<ClusterMismatch>((resolve) => (agreement.onMismatch = resolve));
    const { refusal } = agreement.answer({ shard: 1, place: place(9, 90), known: place(5, 51) });
    expect(refusal).toMatch(/ends early: .* of entry 51 of its start 5/);
    expect((await heard).message).toBe(refusal);
    expect(learned).toEqual([]);
    expect(agreement.answer({ shard: 1, place: place(9, 90), known: place(5, 50) })).toEqual({
      ...view,
      place: place(5, 50),
      known: place(9, 90),
      refusal: '',
    });
    expect(() => agreement.answer({ shard: 2, place: null, known: null })).toThrow(/Shard 2 is not another one/);
  });
});
