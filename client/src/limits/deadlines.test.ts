// Every transaction settles by its deadline and the grace after it, whatever the event loop, the streams or the shards do. The test
// against real gateways is gateway/src/transaction/standstill.long.test.ts.

import { afterEach, describe, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import { connect } from '../connect.ts';
import type { ClaretError } from '../errors/claret-error.ts';
import { CalmEnvironment } from '../testing/calm-environment.ts';
import { inProcessCluster, type InProcessCluster } from '../testing/in-process-cluster.ts';
import { freshSeed, randomFrom, type Random } from '../testing/random.ts';
import { keyOn } from '../testing/keys.ts';
import { ScriptedShard } from '../testing/scripted-shard.ts';
import { SeededEnvironment } from '../testing/seeded-environment.ts';
import { evenTopology } from '../topology/topology.ts';
import type { TransactionOptions } from '../transaction/transaction-options.ts';
import type { Tx } from '../transaction/tx.ts';
import { LocalTransport } from '../transport/local.ts';
import { Deadlines } from './deadlines.ts';

const A = keyOn(0);
const B = keyOn(1);
/** The value in client/API.md. */
const GRACE_MS = 3_000;
/** Two checks of the deadlines and some turns of the event loop. */
const LOOKS_MS = 200;

/** what a transaction may have met */
const MET = { key: A, operation: 'Counter.add', blockingOperation: 'Set.size', blockingLabel: 'Elder' };

const never = () => new Promise<never>(() => {});
const turns = (environment: SeededEnvironment, ms: number) =>
  environment.runUntil(new Promise<void>((resolve) => environment.setTimeout(resolve, ms)));
const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: ClaretError) => error,
  );

/** A cluster whose time the test controls. */
async function world(seed = 1): Promise<{ environment: SeededEnvironment; cluster: InProcessCluster; claret: Claret }> {
  const environment = new SeededEnvironment(seed);
  const cluster = await environment.runUntil(inProcessCluster({ shards: 2, environment }));
  return { environment, cluster, claret: await environment.runUntil(cluster.connect({ timeoutMs: 500 })) };
}

describe('after the event loop stood still for longer than a transaction may take', () => {
  it.each([
    ['a body that waits for no shard', never],
    ['a body that holds a lock', async (tx: Tx) => (await tx.counter(A).value(), never())],
    ['a body with an operation that is not sent', (tx: Tx) => (tx.counter(A).add(1), never())],
  ])('%s is ended', async (_, body) => {
    const { environment, cluster, claret } = await world();
    const failing = errorOf(claret.transaction('Hangs', body));
    await turns(environment, 100);
    environment.standStill(5_000);
    const sinceMs = environment.monotonicMs();
    expect(await environment.runUntil(failing)).toMatchObject({ code: 'gave_up', cause: 'timeout', commitState: 'none' });
    expect(environment.monotonicMs() - sinceMs).toBeLessThan(LOOKS_MS);
    await environment.runUntil(cluster.stop());
  });

  it.each([{}, { id: true }])(
    'a transaction that began while its shard was unreachable is ended, with options %o',
    async ({ id = false }: { id?: boolean }) => {
      const { environment, cluster, claret } = await world();
      cluster.hosts[0]!.stop();
      await turns(environment, 50);
      const options = id ? { id: claret.transactionId(A) } : {};
      const body = async (tx: Tx) => (tx.counter(A).add(1), tx.counter(A).value());
      const failing = [claret.transaction('Away', body, options), claret.transact('Away', [claret.on.counter(A).add(1)], options)].map(
        errorOf,
      );
      await turns(environment, 10);
      environment.standStill(6_000);
      cluster.restart(0);
      const expected = { retryable: true, commitState: id ? 'unknown' : 'none' };
      expect(await environment.runUntil(Promise.all(failing))).toMatchObject([expected, expected]);
      const reading = claret.transaction('Read', async (tx) => await tx.counter(A).value(), { timeoutMs: 10_000 });
      expect(await environment.runUntil(reading)).toBe(0);
      await environment.runUntil(cluster.stop());
    },
  );
});

describe('a transaction without an attempt in flight', () => {
  let claret: Claret;
  afterEach(() => claret.close(0));

  it('is ended while it waits for a new topology', async () => {
    const shard = new ScriptedShard(0);
    const transport = new LocalTransport({ shards: new Map([['s0', shard]]), topology: () => evenTopology(['s0']) });
    claret = await connect({ addresses: ['s0'], transport });
    transport.topology = never;
    const failing = errorOf(claret.transact('Moved', [claret.on.counter(A).add(1)], { timeoutMs: 200 }));
    const { attempt } = await shard.request('Moved');
    shard.say({ replies: [{ attempt, error: { code: 'wrong_shard', retryable: true, key: A } }] });
    expect(await failing).toMatchObject({
      code: 'gave_up',
      cause: 'wrong_shard',
      commitState: 'none',
      message: expect.stringContaining('by the topology, shard 0 at s0 owns the key'),
    });
  });

  it('is ended while it is queued, and says behind what', async () => {
    const shard = new ScriptedShard(0);
    const transport = new LocalTransport({ shards: new Map([['s0', shard]]), topology: () => evenTopology(['s0']) });
    claret = await connect({ addresses: ['s0'], transport, environment: new CalmEnvironment() });
    const add = [claret.on.counter(A).add(1)];
    const others = Array.from({ length: 256 }, () => errorOf(claret.transact('Others', add)));
    const { attempt } = await shard.request('Others');
    expect(await errorOf(claret.transact('Waits', add, { timeoutMs: 20 }))).toMatchObject({
      code: 'gave_up',
      cause: 'timeout',
      message: expect.stringMatching(/^Waits did not begin in time behind \d+ others of its client$/),
    });
    const waits = errorOf(claret.transact('Waits', add, { timeoutMs: 20 }));
    shard.say({ replies: [{ attempt, error: { code: 'wounded', retryable: true, ...MET } }] });
    expect(await waits).toMatchObject({
      code: 'gave_up',
      cause: 'timeout',
      ...MET,
      message: expect.stringMatching(
        /^Counter.add \S+: Waits did not begin .+ others of its client, one of which waited here \(it met Set.size of Elder\)$/,
      ),
    });
    expect(claret.load.waiting).toBe(2);
    await expect.poll(() => claret.load.waiting).toBe(0);
    await claret.close(0);
    await Promise.all(others);
  });
});

describe('a transaction whose time is over', () => {
  it('names the operation that waits when a shard says only that it has expired', async () => {
    const shards = [new ScriptedShard(0), new ScriptedShard(1)] as const;
    const transport = new LocalTransport({
      shards: new Map([
        ['s0', shards[0]],
        ['s1', shards[1]],
      ]),
      topology: () => evenTopology(['s0', 's1']),
    });
    const claret = await connect({ addresses: ['s0'], transport });
    const failing = errorOf(claret.transact('Both', [claret.on.counter(A).value(), claret.on.counter(B).value()]));
    const [{ attempt }] = await Promise.all(shards.map((shard) => shard.request('Both')));
    const expired = { code: 'expired', retryable: true, cause: 'timeout' };
    shards[0].say({ replies: [{ attempt, error: expired }] });
    expect(await failing).toMatchObject({ code: 'gave_up', cause: 'timeout', key: A, operation: 'Counter.value' });
    await claret.close(0);
  });

  it('names what an attempt before met, if the last one has not learned anything', async () => {
    const shard = new ScriptedShard(0);
    const transport = new LocalTransport({ shards: new Map([['s0', shard]]), topology: () => evenTopology(['s0']) });
    const claret = await connect({ addresses: ['s0'], transport });
    const failing = errorOf(claret.transaction('Again', async (tx) => [await tx.counter(A).value()], { timeoutMs: 200 }));
    const { attempt } = await shard.request('Again');
    shard.say({ replies: [{ attempt, error: { code: 'wounded', message: 'an older one waits', retryable: true, ...MET } }] });
    expect(await failing).toMatchObject({
      code: 'gave_up',
      cause: 'wounded',
      ...MET,
      message: `Counter.add ${A}: Again gave up after 2 attempts, when its time was over: an older one waits (it met Set.size of Elder)`,
    });
    await claret.close(0);
  });
});

it('an error in one transaction does not stop the checks of the others', async () => {
  const environment = new SeededEnvironment(1);
  const thrown: unknown[] = [];
  environment.setImmediate = (callback) => {
    try {
      callback();
    } catch (error) {
      thrown.push(error);
    }
  };
  const deadlines = new Deadlines(environment, () => false);
  const bug = new Error('a bug');
  const broken = {
    place: -1,
    look: () => {
      throw bug;
    },
  };
  deadlines.add(broken);
  await environment.runUntil(
    new Promise<void>((resolve) => {
      const other = { place: -1, look: () => (deadlines.remove(other), resolve()) };
      deadlines.add(other);
    }),
  );
  expect([thrown, deadlines.unsettled]).toEqual([[bug], 1]);
  deadlines.remove(broken);
});

it('a transaction is checked until it is removed, and removing it twice removes no other', () => {
  const all = Array.from({ length: 4 }, (_, i) => ({ i, place: -1, look: () => {} }));
  const deadlines = new Deadlines<(typeof all)[number]>(new SeededEnvironment(1), () => false);
  for (const transaction of all) deadlines.add(transaction);
  for (const i of [1, 1, 3, 3]) deadlines.remove(all[i]!);
  expect([...deadlines].map(({ i }) => i)).toEqual([0, 2]);
  for (const i of [2, 0, 2]) deadlines.remove(all[i]!);
  expect(deadlines.unsettled).toBe(0);
  deadlines.stop();
});

it('a process that stands still again and again still checks deadlines', async () => {
  const environment = new SeededEnvironment(1);
  const deadlines = new Deadlines(environment, () => false);
  const looks: number[] = [];
  const transaction = { place: -1, look: (nowMs: number) => void looks.push(nowMs) };
  deadlines.add(transaction);
  for (let i = 0; i < 10; i++) {
    environment.standStill(1_000);
    await turns(environment, 1);
  }
  expect(looks).toHaveLength(5);
  deadlines.remove(transaction);
});

// ---- everything at once, at random ----

interface Settled {
  label: string;
  /** time beyond the deadline, without the time in which the event loop stood still */
  lateMs: number;
}

const BODIES: Record<string, (tx: Tx, random: Random, environment: SeededEnvironment) => unknown> = {
  never,
  holds: async (tx) => (await tx.counter(A).value(), never()),
  moves: async (tx, random) => {
    const [from, to] = random.next() < 0.5 ? [A, B] : [B, A];
    await tx.counter(from).value();
    tx.counter(from).add(-1);
    tx.counter(to).add(1);
  },
  dawdles: async (tx, random, environment) => {
    await tx.counter(A).add(1);
    await new Promise<void>((resolve) => environment.setTimeout(resolve, random.below(1_000)));
    return tx.counter(B).value();
  },
  reads: (tx) => Promise.all([tx.counter(A).value(), tx.counter(B).value()]),
  throws: async (tx) => {
    await tx.counter(B).value();
    throw new Error('no');
  },
};

/** Runs transactions for some seconds while, at random, the event loop stands still, streams break and shards stop and return. */
async function nemesis(seed: number): Promise<{ settled: Settled[]; begun: number }> {
  const { environment, cluster, claret } = await world(seed);
  const random = randomFrom(seed + 1);
  const settled: Settled[] = [];
  let begun = 0;
  let stoodStillMs = 0;
  const begin = () => {
    const label = random.pick([...Object.keys(BODIES), 'transact']);
    const timeoutMs = random.pick([50, 500, 2_000]);
    const options: TransactionOptions = random.next() < 0.3 ? { timeoutMs, id: claret.transactionId(random.pick([A, B])) } : { timeoutMs };
    const sinceMs = environment.monotonicMs() - stoodStillMs;
    begun++;
    const running =
      label === 'transact'
        ? claret.transact(label, [claret.on.counter(A).add(1), claret.on.counter(B).add(-1)], options)
        : claret.transaction(label, async (tx) => BODIES[label]!(tx, random, environment), options);
    const end = () => void settled.push({ label, lateMs: environment.monotonicMs() - stoodStillMs - sinceMs - timeoutMs });
    running.then(end, end);
  };
  for (let round = 0; round < 60; round++) {
    for (let i = random.below(8); i > 0; i--) begin();
    await turns(environment, random.below(300));
    const shard = random.below(2);
    const fault = random.below(6);
    if (fault === 0) cluster.hosts[shard]!.breakSessions();
    if (fault === 1) cluster.hosts[shard]!.breakInsteadOfAnswering();
    if (fault === 2) cluster.hosts[shard]!.stop();
    if (fault === 3) for (const each of [0, 1]) cluster.restart(each);
    if (fault < 5) continue;
    const forMs = random.pick([60, 400, 2_500, 7_000]);
    stoodStillMs += forMs;
    environment.standStill(forMs);
  }
  for (const shard of [0, 1]) cluster.restart(shard);
  await turns(environment, 2_000 + GRACE_MS + LOOKS_MS);
  await environment.runUntil(cluster.stop());
  return { settled, begun };
}

it('every transaction settles in time under random faults', async () => {
  const seed = freshSeed();
  console.log(`seed ${seed}`);
  for (let i = 0; i < 8; i++) {
    const { settled, begun } = await nemesis(seed + i);
    expect(begun).toBeGreaterThan(100);
    expect(
      settled.filter(({ lateMs }) => lateMs > GRACE_MS + LOOKS_MS),
      `seed ${seed + i}`,
    ).toEqual([]);
    expect(settled, `seed ${seed + i}`).toHaveLength(begun);
  }
});
