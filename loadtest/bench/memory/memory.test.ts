import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { inProcessCluster } from '@claret/client/testing';
import { expect, test } from 'vitest';
import { residentOf } from './measure.ts';
import { SHAPES } from './shapes.ts';
import { slopeOf } from './slope.ts';

test('the slope is that of the line through the levels, whatever the process needs itself', () => {
  expect(slopeOf([0, 1, 2, 3].map((step) => ({ insertions: 1000 * step, bytes: 5e6 + 150_000 * step })))).toBeCloseTo(150);
  expect(
    slopeOf([
      { insertions: 10, bytes: 7 },
      { insertions: 20, bytes: 7 },
    ]),
  ).toBe(0);
});

test('all eleven types are stored, each in a record of its own, in few records or in one', async () => {
  expect(new Set(SHAPES.map(({ type }) => type)).size).toBe(11);
  for (const { type, layout, claret, keyOf } of SHAPES) {
    const cluster = await inProcessCluster();
    const client = await cluster.connect();
    await Promise.all(Array.from({ length: 300 }, (_, number) => client.native.perform(claret(number))));
    expect(cluster.shards[0]!.counters().records, `${type}, ${layout}`).toBe({ record: 300, small: 3, large: 1 }[layout]);
    expect(keyOf(299)).toHaveLength(14);
    await cluster.stop();
  }
});

test('Redis gets the same keys and members', () => {
  for (const { redis, claret, keyOf } of SHAPES) {
    const operation = claret(7);
    expect(operation.key).toBe(keyOf(7));
    if (redis !== null) expect(redis(7)[1]).toBe(operation.key);
  }
});

/** Measures a process that only holds so many bytes. In the process of the test, garbage would be collected meanwhile. */
async function residentWith(bytes: number): Promise<number> {
  const program = `const held = Buffer.alloc(${bytes}, 1); console.log('holds'); setInterval(() => held, 60_000);`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(child.stdout, 'data');
    return residentOf(child.pid!);
  } finally {
    child.kill();
  }
}

test('the resident memory of a process grows with what it holds', async () => {
  const held = 64 * 2 ** 20;
  expect((await residentWith(held)) - (await residentWith(0))).toBeGreaterThan(held / 2);
});
