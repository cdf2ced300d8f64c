// The gateway and the core agree on the owner of each slot: keys at the edges of the ranges are served, not refused with wrong_shard.
import { slotOf } from '@claret/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster } from './testing/cluster.ts';
import type { TestCluster } from './testing/cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(3);
});
afterAll(() => cluster.close());

function keyInSlot(slot: number): string {
  for (let i = 0; ; i++) if (slotOf(`edge-${i}`) === slot) return `edge-${i}`;
}

test.each([0, 5461, 5462, 10922, 10923, 16383])('a key in slot %i is served by every gateway of three', async (slot) => {
  for (const gateway of cluster.gateways) {
    const answer = await gateway.rest.inject(`/v1/records/${keyInSlot(slot)}?type=counter&operation=value`);
    expect([answer.statusCode, answer.json().value]).toEqual([200, 0]);
  }
});
