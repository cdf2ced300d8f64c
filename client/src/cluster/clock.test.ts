import { afterEach, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import { connect } from '../connect.ts';
import { systemEnvironment } from '../environment/system-environment.ts';
import { inProcessCluster } from '../testing/in-process-cluster.ts';
import { keyOn } from '../testing/keys.ts';
import { ScriptedShard } from '../testing/scripted-shard.ts';
import { SteppedEnvironment } from '../testing/stepped-environment.ts';
import { evenTopology } from '../topology/topology.ts';
import { LocalTransport } from '../transport/local.ts';
import { wallMsOf } from '../wire/moment.ts';

const [A, B] = [keyOn(0), keyOn(1)];
const timestamp = (ms: number) => String(BigInt(ms * 4_000) << 8n);
let claret: Claret;
afterEach(() => claret.close(0));

async function scripted(times: readonly [string, string]): Promise<SteppedEnvironment> {
  const environment = new SteppedEnvironment();
  const shards = times.map((time, number) => Object.assign(new ScriptedShard(number), { time }));
  const byAddress = new Map(shards.map((shard) => [`s${shard.number}`, shard]));
  const transport = new LocalTransport({ shards: byAddress, topology: () => evenTopology(['s0', 's1']) });
  claret = await connect({ addresses: ['s0'], transport, environment });
  return environment;
}

it('shows the time of the shard that has the key, and of the first shard without one', async () => {
  const environment = await scripted([timestamp(50_000), timestamp(80_000)]);
  expect(() => claret.clock.nowMs(A)).toThrow(expect.objectContaining({ code: 'shard_unavailable', retryable: true }));
  await claret.clock.ready();
  environment.pass(7);
  expect([claret.clock.nowMs(A), claret.clock.nowMs(B), claret.clock.nowMs()]).toEqual([50_007, 80_007, 50_007]);
});

it('shows the time of a shard that it has met, in place of one that it has not', async () => {
  const environment = await scripted(['0', timestamp(80_000)]);
  const refused = claret.clock.ready(100).catch((error: unknown) => error);
  await expect.poll(() => claret.status.shards.map(({ state }) => state), { interval: 1 }).toEqual(['live', 'live']);
  environment.pass(100);
  expect(await refused).toMatchObject({ code: 'shard_unavailable' });
  expect([claret.clock.nowMs(A), claret.clock.nowMs()]).toEqual([80_100, 80_100]);
});

it('agrees with what commits have, however wrong the wall clock of this machine is', async () => {
  const cluster = await inProcessCluster({ shards: 2, clockAheadMs: (shard) => shard * 3_000 });
  const ahead = { ...systemEnvironment, wallMs: () => systemEnvironment.wallMs() + 30_000, civilMs: () => Date.now() + 30_000 };
  claret = await cluster.connect({ environment: ahead });
  await claret.clock.ready();
  for (const key of [A, B]) {
    const before = claret.clock.nowMs(key);
    let committedMs = 0;
    await claret.transaction('Add', async (tx) => void tx.counter(key).add(1), {
      onCommit: ({ committedAt }) => void (committedMs = wallMsOf(committedAt!)),
    });
    expect(committedMs).toBeGreaterThanOrEqual(before);
    expect(claret.clock.nowMs(key)).toBeGreaterThanOrEqual(committedMs);
    expect(claret.clock.nowMs(key)).toBeLessThan(systemEnvironment.wallMs() + 3_001);
  }
  await cluster.stop();
});
