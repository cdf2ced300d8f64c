// Members that are denied for long, against a scripted shard.

import { afterEach, expect, test } from 'vitest';
import type { Claret } from '../claret.ts';
import { all, ChainedShard, errorOf, membersOf } from '../testing/chained-shard.ts';
import { SteppedEnvironment } from '../testing/stepped-environment.ts';

let claret: Claret;
afterEach(() => claret.close(0));

test('two transactions of a client take locks at once, half a second after they were first denied; the others go on trying', async () => {
  const time = new SteppedEnvironment();
  const shard = new ChainedShard();
  claret = await shard.connect({ environment: time, timeoutMs: 30_000 });
  time.pass(1_000);
  const labels = ['First', 'Second', 'Third'];
  for (const label of labels) claret.transact(label, [claret.on.counter('x').add(1)]).catch(() => {});
  const locked = () => all(shard.heard, 'requests').map(({ begin }: any) => begin.label);
  const denyFor = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 20) {
      const denied = membersOf(await shard.frames()).map(({ n }) => ({
        chain: '1',
        n: String(n),
        error: { ...errorOf('denied'), key: 'x' },
      }));
      if (denied.length > 0) shard.say({ members: denied });
      time.pass(20);
    }
  };
  await denyFor(480);
  expect(locked()).toEqual([]);
  await denyFor(400);
  expect(locked().toSorted()).toHaveLength(2);
  const tried = claret.counters.membersDenied;
  await denyFor(60);
  expect(claret.counters.membersDenied).toBeGreaterThan(tried);
});
