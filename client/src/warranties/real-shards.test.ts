// Warranties of real shards: what a transaction costs, in messages.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import { connect } from '../connect.ts';
import { inProcessCluster, type InProcessCluster } from '../testing/in-process-cluster.ts';
import { keyOn } from '../testing/keys.ts';
import { NodeEnvironment } from '../testing/node-environment.ts';
import { randomFrom } from '../testing/random.ts';
import { SeededEnvironment } from '../testing/seeded-environment.ts';
import { SlowNetwork } from '../testing/slow-network.ts';
import { Tap } from '../testing/tap.ts';
import { evenTopology } from '../topology/topology.ts';
import { LocalTransport } from '../transport/local.ts';

const [A, B] = [keyOn(0), keyOn(1)];
let environment: SeededEnvironment;
let cluster: InProcessCluster;

async function start(warrantyUsesMin: number): Promise<void> {
  environment = new SeededEnvironment(1);
  const shardOptions = { warrantyTermMs: 1_000, warrantyUsesMin };
  cluster = await environment.runUntil(inProcessCluster({ shards: 2, environment, shardOptions }));
  for (const { shard } of cluster.hosts) {
    const conditions = { locks: 'abstract', phasing: true, combining: 'off', warranties: 'auto' } as const;
    shard.setConditions(conditions, environment.wallMs(), environment.monotonicMs());
  }
}

beforeEach(() => start(0));
afterEach(() => environment.runUntil(cluster.stop()));

async function client(): Promise<{ claret: Claret; run: <Result>(work: Promise<Result>) => Promise<Result>; seen: () => string[] }> {
  const tap = new Tap(cluster.transport);
  const claret = await environment.runUntil(cluster.connect({ transport: tap }));
  await environment.runUntil(new Promise<void>((resolve) => void environment.setTimeout(resolve, 5)));
  const seen = () => tap.seen.splice(0).filter((one) => !one.endsWith('answers'));
  return { claret, run: (work) => environment.runUntil(work), seen };
}

describe('with warranties', () => {
  it('a list and a body that only read need no message the second time', async () => {
    const { claret, run, seen } = await client();
    const list = () => run(claret.transact('List', [claret.on.counter(A).value(), claret.on.set(B).size()]));
    const body = () => run(claret.transaction('Body', async (tx) => [await tx.counter(A).value(), await tx.set(B).size()]));
    expect([await list(), seen().length]).toEqual([[0, 0], 2]);
    expect([await list(), await body(), seen()]).toEqual([[0, 0], [0, 0], []]);
  });

  it('what was read with the same result four times in a row needs no message', async () => {
    await environment.runUntil(cluster.stop());
    await start(8);
    const { claret, run, seen } = await client();
    const read = () => run(claret.transact('Read', [claret.on.counter(A).value()]));
    for (let n = 0; n < 4; n++) await read();
    expect(seen()).toHaveLength(4);
    expect([await read(), seen()]).toEqual([[0], []]);
  });

  it('a transaction that reads at one shard and changes another one asks only that one, once', async () => {
    const { claret, run, seen } = await client();
    const copy = () =>
      run(
        claret.transaction('Copy', async (tx) => {
          const value = await tx.counter(A).value();
          tx.counter(B).add(Number(value) + 1);
        }),
      );
    await run(claret.transact('Learn', [claret.on.counter(A).value()]));
    await run(claret.transact('Any', [claret.on.set(keyOn(1, 'any')).add('x')]));
    seen();
    await copy();
    expect(seen()).toEqual(['1: add, vote']);
  });

  it('a change that would violate a warranty is seen by the next transaction of every client', async () => {
    const [reader, writer] = [await client(), await client()];
    const read = () => reader.run(reader.claret.transact('Read', [reader.claret.on.counter(A).value()]));
    for (let n = 0; n < 20; n++) {
      expect(await read()).toEqual([n]);
      expect(await read()).toEqual([n]);
      await writer.run(writer.claret.transact('Add', [writer.claret.on.counter(A).add(1)]));
    }
    expect(reader.claret.counters).toMatchObject({ warrantedCommits: 20, grantsRecalled: 20 });
  });

  it('changes that leave the result as it is recall nothing', async () => {
    const [reader, writer] = [await client(), await client()];
    const top = () => reader.run(reader.claret.transact('Top', [reader.claret.on.topK(A).top(2)]));
    await writer.run(writer.claret.transact('Add', [writer.claret.on.topK(A).add('x', 10), writer.claret.on.topK(A).add('y', 9)]));
    await top();
    for (let n = 0; n < 20; n++) await writer.run(writer.claret.transact('Add', [writer.claret.on.topK(A).add(`item ${n}`, 1)]));
    reader.seen();
    expect(await top()).toEqual([
      [
        ['x', 10],
        ['y', 9],
      ],
    ]);
    expect([reader.seen(), reader.claret.counters.grantsRecalled]).toEqual([[], 0]);
  });

  it('a client that stands still delays a change until its term is over, and tells nothing old when it goes on', async () => {
    const writer = await client();
    const node = new NodeEnvironment(environment, 1, 0);
    const network = new SlowNetwork(environment, randomFrom(1));
    const runs = { here: (arrive: () => void) => node.run(arrive), there: (arrive: () => void) => arrive() };
    const shards = new Map(cluster.hosts.map((host, i) => [`shard-${i}`, network.between('still', `shard-${i}`, host, runs)]));
    const transport = new LocalTransport({ shards, topology: () => evenTopology([...shards.keys()]) });
    const still = await environment.runUntil(connect({ addresses: ['shard-0'], transport, environment: node }));
    const read = () => still.transact('Read', [still.on.counter(A).value()]);
    await environment.runUntil(read());
    const told: unknown[] = [];
    node.setTimeout(() => void read().then((value) => told.push(value)), 1_500);
    node.freeze(3_000);
    const frozenMs = environment.monotonicMs();
    await writer.run(writer.claret.transact('Add', [writer.claret.on.counter(A).add(1)]));
    const waitedMs = environment.monotonicMs() - frozenMs;
    expect(waitedMs).toBeGreaterThan(900);
    expect(waitedMs).toBeLessThan(1_050);
    expect(await writer.run(writer.claret.transact('Read', [writer.claret.on.counter(A).value()]))).toEqual([1]);
    await environment.runUntil(new Promise<void>((resolve) => void environment.setTimeout(resolve, 3_000)));
    expect([told, still.counters.warrantedAnswers]).toEqual([[[1]], 0]);
    await environment.runUntil(still.close(0));
  });
});
