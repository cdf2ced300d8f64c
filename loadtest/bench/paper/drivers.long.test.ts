import { connect } from '@claret/client';
import { expect, it } from 'vitest';
import { conditionNamed } from '../../kit/conditions.ts';
import { setConditions, withCluster } from '../../kit/with-cluster.ts';
import { Drivers, sharesOf, type CellPlan } from './drivers.ts';
import { POINTS } from './points.ts';

it('drivers share the clients as evenly as possible', () => {
  expect(sharesOf(256, 4)).toEqual([64, 64, 64, 64]);
  expect(sharesOf(10, 4)).toEqual([3, 3, 2, 2]);
  expect(sharesOf(8, 1)).toEqual([8]);
});

it('two drivers measure one cell, whose data is what both together were acknowledged', async () => {
  await withCluster(1, {}, async (cluster) => {
    const addresses = cluster.gateways.map(({ grpc }) => grpc);
    const drivers = new Drivers(2);
    const claret = await connect({ addresses, name: 'test' });
    try {
      const point = POINTS.find(({ name }) => name === 'alpha=1 update=0.5')!;
      await drivers.load({ addresses, point, seed: 1, retwis_scale: 4, rubis_items: 10 });
      const plan = (condition: string): CellPlan => ({
        rests: cluster.gateways.map(({ rest }) => rest),
        gateway_pids: cluster.gateways.map(({ pid }) => pid),
        condition,
        sending: 'interactive',
        deferral: true,
        clients: 5,
        poll_us: 0,
        warm_seconds: 0.1,
        seconds: 0.2,
        conflicts: false,
      });
      await setConditions(cluster, conditionNamed('abstract+phasing'));
      const cell = await drivers.cell(plan('abstract+phasing'));
      expect(cell).toMatchObject({ failures: 0, mismatches: [] });
      expect(cell.txn_per_s).toBeGreaterThan(10);
      expect(cell.p99_ms).toBeGreaterThanOrEqual(cell.p50_ms);
      expect(cell.operations_per_commit).toBeGreaterThanOrEqual(3.5);
      expect(cell.gateway_cpu).toHaveLength(1);
      expect(cell.core_us_per_op).toBeGreaterThan(0);

      // The second cell has sets of its own; one member more than was acknowledged is found.
      await claret.transact('Plant', [claret.on.set('r1:9999').add('planted')]);
      const planted = await drivers.cell({ ...plan('abstract+phasing'), sending: 'one-shot' });
      expect(planted.mismatches).toEqual([expect.stringMatching(/^r1:9999 holds \d+ members, but \d+ adds were committed$/)]);

      await setConditions(cluster, conditionNamed('none'));
      expect((await drivers.cell(plan('none'))).mismatches).toEqual([]);
    } finally {
      await claret.close();
      await drivers.close();
    }
  });
});
