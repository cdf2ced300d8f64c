// The client causes no unhandled rejections, which would end the application's process. For every fault and every shape of the body,
// the promise of the transaction alone reports the failure.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import { connect, connectForTests, type TestConnectOptions } from '../connect.ts';
import { ClaretError } from '../errors/claret-error.ts';
import { Scope } from '../limits/scope.ts';
import { keyOn } from '../testing/keys.ts';
import { ScriptedShard } from '../testing/scripted-shard.ts';
import { evenTopology } from '../topology/topology.ts';
import { LocalTransport } from '../transport/local.ts';
import type { Tx } from './tx.ts';

const A = keyOn(0);
const B = keyOn(1);
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const never = () => new Promise<never>(() => {});

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown) => void unhandled.push(reason);
beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', onUnhandled);
});
afterEach(async () => {
  await pause(5); // Node reports unhandled rejections after all due callbacks have run
  process.off('unhandledRejection', onUnhandled);
  expect(unhandled).toEqual([]);
});

type Shape = (tx: Tx) => unknown;

/** Bodies that issue operations and do not await all of them. */
const shapes: Record<string, Shape> = {
  'awaits nothing': (tx) => (tx.counter(A).add(1), tx.counter(B).add(1), undefined),
  'awaits one of several': async (tx) => {
    tx.counter(A).add(1);
    void tx
      .counter(B)
      .add(1)
      .then(() => {});
    void tx.counter(A).value().then(Number).then(String);
    return tx.counter(B).value();
  },
  'awaits all at once': (tx) => Promise.all([tx.counter(A).value().then(Number), tx.counter(B).value().then(Number)]),
  'awaits all as promises': (tx) => Promise.all([A, B].map((key) => Promise.resolve(tx.counter(key).value()).finally(() => {}))),
  'awaits all in functions of its own': (tx) =>
    Promise.all([A, B].map(async (key) => (await tx.counter(key).value(), tx.counter(key).add(1)))),
  'handles the error and continues': async (tx) => {
    await Promise.allSettled([tx.counter(A).value(), tx.counter(B).value()]);
    return 'done';
  },
  'ends with an operation': (tx) => tx.finish(tx.counter(B).value()),
  hangs: (tx) => (
    tx
      .counter(A)
      .value()
      .then(() => {}),
    tx
      .counter(B)
      .value()
      .then(() => {}),
    never()
  ),
};

class World {
  readonly shards = [new ScriptedShard(0), new ScriptedShard(1)] as const;
  readonly byAddress = new Map(this.shards.map((shard) => [`s${shard.number}`, shard]));
  readonly transport = new LocalTransport({ shards: this.byAddress, topology: () => evenTopology(['s0', 's1']) });
  claret!: Claret;

  async open(options: Partial<TestConnectOptions>): Promise<void> {
    this.claret = await connectForTests({ addresses: ['s0'], transport: this.transport, timeoutMs: 150, attemptsMax: 2, ...options });
    await expect.poll(() => this.claret.status.shards.every(({ state }) => state === 'live'), { interval: 1 }).toBe(true);
  }

  #answered = new Set<object>();

  /** Answers each unanswered request with this reply. */
  answer(reply: object): void {
    for (const shard of this.shards) {
      const requests = shard.heard.flatMap((frame) => frame.requests).filter((request) => !this.#answered.has(request));
      for (const request of requests) this.#answered.add(request);
      if (requests.length > 0) shard.say({ replies: requests.map(({ attempt }) => ({ attempt, ...reply })) });
    }
  }
}

/** Faults that are repeated while the transaction runs. */
const faults: Record<string, (world: World, scope: Scope) => void> = {
  'nothing is answered': () => {},
  'attempts are wounded': (world) => world.answer({ error: { code: 'wounded', retryable: true, cause: 'wounded' } }),
  'shards refuse for good': (world) => world.answer({ error: { code: 'wrong_type', retryable: false } }),
  'shards are overloaded': (world) => world.answer({ error: { code: 'overloaded', retryable: true } }),
  'shards deny': (world) => world.answer({ denied: { code: 'denied', retryable: true } }),
  'shards have moved': (world) => world.answer({ error: { code: 'wrong_shard', retryable: true } }),
  'answers make no sense': (world) => world.answer({ results: [], committedAt: '5' }),
  'streams break': (world) => world.shards.forEach((shard) => shard.breakSession()),
  'the scope is called off': (_, scope) => scope.callOff(),
  'the client is closed': (world) => void world.claret.close(0),
};

const ways: Record<string, Partial<TestConnectOptions>> = {
  plainly: { combining: 'off' },
  combined: { combining: 'always' },
  'one at a time': { oneAtATime: true },
};

/** Runs all shapes at once with a repeated fault until every promise has settled. Returns the errors. */
async function suffer(options: Partial<TestConnectOptions>, fault: string): Promise<unknown[]> {
  const world = new World();
  await world.open(options);
  const { claret } = world;
  const scope = new Scope();
  const view = claret.within(scope);
  const watch = view.watch([view.on.counter(A).value(), view.on.counter(B).value()], () => {});
  const errors: unknown[] = [];
  const failed = (error: unknown) => void errors.push(error);
  const bodies = Object.entries(shapes).flatMap(([label, body]) =>
    [{}, { id: claret.transactionId(A) }].map((once) => view.transaction(label, async (tx) => body(tx), once).catch(failed)),
  );
  const list = view.transact('List', [view.on.counter(A).add(1), view.on.counter(B).value()]).catch(failed);
  let over = false;
  void Promise.all([...bodies, list]).then(() => (over = true));
  while (!over) {
    await pause(5);
    faults[fault]!(world, scope);
  }
  watch.close();
  await claret.close(0);
  expect(errors.length, fault).toBeGreaterThan(0);
  return errors;
}

describe.each(Object.keys(ways))('sent %s', (way) => {
  it('under every fault', async () => {
    const errors = await Promise.all(Object.keys(faults).map((fault) => suffer(ways[way]!, fault)));
    for (const error of errors.flat()) expect(error).toBeInstanceOf(ClaretError);
  });

  it.each(Object.keys(shapes))('while one of the shards is too far behind, and a body %s', async (shape) => {
    const world = new World();
    await world.open(ways[way]!);
    const { claret, shards } = world;
    shards[1].acknowledges = false;
    void claret.transact('First', [claret.on.counter(B).add(1)], { timeoutMs: 60_000 }).catch(() => {});
    while (claret.load.shards[1]!.behindMs < 200) await pause(1);
    await expect(claret.transaction('Refused', shapes[shape]!, { timeoutMs: 100 })).rejects.toMatchObject({
      code: 'overloaded',
      commitState: 'none',
    });
    await expect(claret.transaction('Refused', async (tx) => shapes[shape]!(tx), { timeoutMs: 100 })).rejects.toMatchObject({
      code: 'overloaded',
      commitState: 'none',
    });
    const sent = shards[1].heard.flatMap((frame) => frame.requests.map((request: any) => request.begin?.label));
    expect(sent).toEqual(['First']);
    await claret.close(0);
  });
});

describe('apart from transactions', () => {
  it('`connect` reports its failure only to its caller', async () => {
    const transport = new LocalTransport({ shards: new Map(), topology: () => evenTopology([]) });
    await expect(connect({ addresses: ['nowhere'], transport, connectTimeoutMs: 50 })).rejects.toMatchObject({ code: 'shard_unavailable' });
    await expect(connect({ addresses: ['127.0.0.1:1', 'no such host:0'], connectTimeoutMs: 200 })).rejects.toMatchObject({
      code: 'shard_unavailable',
    });
  });

  it('a client that cannot get a new topology causes no unhandled rejection', async () => {
    const world = new World();
    await world.open({});
    world.byAddress.delete('s1');
    world.shards[1].breakSession();
    let asked = 0;
    world.transport.topology = () => (asked++, Promise.reject(new Error('unknown')));
    await expect.poll(() => asked).toBeGreaterThan(0);
    await world.claret.close(0);
  });
});
