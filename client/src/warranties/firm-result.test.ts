// Firm results, with the real core: no change that would violate one is committed in its time.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Claret } from '../claret.ts';
import { inProcessCluster, type InProcessCluster } from '../testing/in-process-cluster.ts';
import { keyOn } from '../testing/keys.ts';
import { SeededEnvironment } from '../testing/seeded-environment.ts';

const [A, B] = [keyOn(0), keyOn(1)];
const FOR_MS = 2_000;
let environment: SeededEnvironment;
let cluster: InProcessCluster;
let reader: Claret;
let writer: Claret;

const run = <Result>(work: Promise<Result>) => environment.runUntil(work);
const pass = (ms: number) => run(new Promise<void>((resolve) => void environment.setTimeout(resolve, ms)));
const read = () => run(reader.firm('Read', async (tx) => [await tx.counter(A).value(), await tx.counter(B).value()], FOR_MS));
const add = (key: string) => writer.transact('Add', [writer.on.counter(key).add(1)]);

beforeEach(async () => {
  environment = new SeededEnvironment(1);
  cluster = await run(inProcessCluster({ shards: 2, environment, shardOptions: { warrantyFirmMsMax: 3_000 } }));
  for (const { shard } of cluster.hosts) {
    const conditions = { locks: 'abstract', phasing: true, combining: 'off', warranties: 'auto' } as const;
    shard.setConditions(conditions, environment.wallMs(), environment.monotonicMs());
  }
  [reader, writer] = [await run(cluster.connect()), await run(cluster.connect())];
});
afterEach(() => run(cluster.stop()));

describe('a firm result', () => {
  it('is had from the second reading on, and asks again only when much of its time is over', async () => {
    expect((await read()).leftMs()).toBe(0);
    const { result, leftMs } = await read();
    expect(result).toEqual([0, 0]);
    expect(leftMs()).toBeGreaterThan(FOR_MS * 0.9);
    expect(leftMs()).toBeLessThanOrEqual(FOR_MS * 0.99);
    await pass(100);
    expect((await read()).leftMs(), 'it is the same promise').toBeLessThan(FOR_MS * 0.99 - 99);
    await pass(500);
    expect((await read()).leftMs(), 'it is a new one').toBeGreaterThan(FOR_MS * 0.9);
  });

  it('is not changed in its time, and is changed then', async () => {
    await read();
    const { leftMs } = await read();
    const untilMs = environment.monotonicMs() + leftMs();
    await run(add(B));
    expect(environment.monotonicMs()).toBeGreaterThan(untilMs);
    expect(environment.monotonicMs()).toBeLessThan(untilMs + 0.02 * FOR_MS + 100);
    expect(leftMs()).toBe(0);
    expect((await read()).result).toEqual([0, 1]);
  });

  it('is certain no more once the machine was suspended, also for those who hold it already', async () => {
    await read();
    const { leftMs } = await read();
    expect(leftMs()).toBeGreaterThan(FOR_MS * 0.9);
    vi.spyOn(environment, 'civilMs').mockImplementation(() => environment.wallMs() + 11);
    expect([leftMs(), (await read()).leftMs()]).toEqual([0, 0]);
  });

  it('is not had while a change waits, nor of results that change all the time', async () => {
    await read();
    const { leftMs } = await read();
    const change = add(A);
    await pass(50);
    const meanwhile = await read();
    expect(meanwhile.leftMs()).toBeLessThanOrEqual(leftMs());
    await run(change);
    for (let n = 0; n < 16; n++) {
      await read();
      await run(add(A));
    }
    await read();
    expect((await read()).leftMs()).toBe(0);
  });

  it('is not had of a transaction that changes something, or that reads nothing', async () => {
    const both = () =>
      run(
        reader.firm(
          'Both',
          async (tx) => {
            await tx.counter(A).value();
            tx.counter(B).add(1);
          },
          FOR_MS,
        ),
      );
    await both();
    expect((await both()).leftMs()).toBe(0);
    expect((await run(reader.firm('Nothing', async () => 1, FOR_MS))).leftMs()).toBe(0);
  });

  it('is not had for longer than the shards allow', async () => {
    await read();
    const tooLong = await run(reader.firm('Read', async (tx) => tx.counter(A).value(), 3_001));
    expect(tooLong.leftMs()).toBe(0);
  });
});
