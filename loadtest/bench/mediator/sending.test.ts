import { inProcessCluster, type InProcessCluster } from '@claret/client/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { randomFrom } from '../../kit/random.ts';
import { AcknowledgedAdds } from './counters.ts';
import { CURVES } from './curves.ts';
import { sendingOf } from './sending.ts';
import { Traffic } from './traffic.ts';

const SEED = 11;
const ITEMS = 400;

let cluster: InProcessCluster;
beforeEach(async () => void (cluster = await inProcessCluster({ shards: 2 })));
afterEach(() => cluster.stop());

const counted = () =>
  cluster.shards
    .map((shard) => shard.counters())
    .reduce((sum, { natives, begun }) => ({ natives: sum.natives + natives, begun: sum.begun + begun }), { natives: 0, begun: 0 });

test.each(CURVES)('$curve stores what it acknowledges, and sends no more as transactions than it says', async ({ curve }) => {
  const claret = await cluster.connect();
  const traffic = new Traffic({ natives: 0.5, reads: 0.5, size: 4, alpha: 1.4 }, randomFrom(SEED));
  const send = sendingOf(curve, claret);
  const acknowledged = new AcknowledgedAdds();
  const client = async () => {
    for (let i = 0; i < ITEMS / 8; i++) {
      const item = traffic.next();
      await send(item);
      acknowledged.acknowledge(item);
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  const { natives, begun } = counted();
  const sent = traffic.items.slice(0, ITEMS);
  const alone = sent.filter(({ isNative }) => isNative).length;
  const operations = sent.reduce((sum, { steps }) => sum + steps.length, 0);
  expect(natives, `seed ${SEED}`).toBe({ mediator: alone, transactional: 0, bound: operations }[curve]);
  if (curve === 'bound') expect(begun).toBe(0);
  else expect(begun).toBeGreaterThanOrEqual(curve === 'mediator' ? ITEMS - alone : ITEMS);
  expect(await acknowledged.mismatches(claret)).toEqual([]);
  acknowledged.acknowledge({ addsTo: [7] });
  expect(await acknowledged.mismatches(claret)).toEqual([expect.stringMatching(/^counter 7 holds \d+, but \d+ adds were acknowledged$/)]);
});
