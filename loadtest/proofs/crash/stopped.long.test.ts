// Processes that are stopped for longer than their lease and then continue: neither a client that has lost its sessions in the
// meantime nor a gateway that its clients consider dead may break what others saw.
import { expect, test } from 'vitest';
import type { Cast } from './cast.ts';
import type { Harm } from './harm.ts';
import { Run } from './run.ts';

/** The lease is 1 s. */
const STOPPED_MS = 2_500;

async function roundsWith(workload: string, whom: (cast: Cast) => Harm['actor'][]) {
  const plan = (cast: Cast) =>
    whom(cast).map((actor, i): Harm => ({
      actor,
      attempts: 50 + 20 * i,
      moment: 5,
      patienceMs: 60_000,
      dead: 0,
      blows: [{ how: 'freeze', ms: STOPPED_MS, afterMs: 0 }],
    }));
  const run = new Run({ rounds: 1, seed: 5, workload, durability: 'sync', disk: 'plain', plan });
  try {
    return await run.run();
  } finally {
    await run.end();
  }
}

test('a client stopped past its lease', async () => {
  const { wrong, acknowledged, checked } = await roundsWith('rawmix', ({ drivers }) => drivers.slice(0, 1));
  expect(wrong).toEqual([]);
  expect(checked).toBe(acknowledged);
  expect(acknowledged).toBeGreaterThan(50);
});

test('an app server stopped while visitors bid', async () => {
  const { wrong, acknowledged, checked } = await roundsWith('rubis', ({ appServers }) => [...appServers]);
  expect(wrong).toEqual([]);
  expect(checked).toBe(acknowledged);
  expect(acknowledged).toBeGreaterThan(50);
});

test('a gateway stopped, and then the other', async () => {
  const { wrong, acknowledged, checked } = await roundsWith('rawmix', ({ store }) => [...store.gateways]);
  expect(wrong).toEqual([]);
  expect(checked).toBe(acknowledged);
  expect(acknowledged).toBeGreaterThan(50);
});
