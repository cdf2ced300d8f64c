import { describe, expect, test } from 'vitest';
import { parseCluster } from './cluster.ts';
import { Topology } from './topology.ts';

const topology = (replicated = true) =>
  new Topology({ members: parseCluster('h:1/h:2,h:3/h:4'), durability: 'sync', clusterName: 'claret', replicated });
const owner = (shard: number, incarnation: number, port: number) => ({ shard, incarnation, grpc: `h:${port}`, rest: `h:${port + 1}` });

describe('a topology', () => {
  test('begins with the configured addresses, as version 1', () => {
    for (const replicated of [false, true]) {
      const { version, standbys, addresses } = topology(replicated);
      expect([version, standbys, addresses]).toEqual([1, [], ['h:1', 'h:3']]);
    }
  });

  test('changes the addresses of the members that others hold', () => {
    const taken = topology();
    const [first, second] = taken.members;
    taken.take([owner(1, 5, 7)], [{ grpc: 'h:3', rest: 'h:4' }]);
    expect(first).toMatchObject({ shard: 0, grpc: 'h:1', rest: 'h:2' });
    expect(second).toMatchObject({ shard: 1, grpc: 'h:7', rest: 'h:8', firstSlot: 8192, lastSlot: 16383 });
    expect(taken.addresses).toEqual(['h:1', 'h:7']);
    expect(taken.describe()).toEqual({
      version: 6,
      durability: 'sync',
      replicated: true,
      shards: [
        { shard: 0, address: 'h:1', restAddress: 'h:2', firstSlot: 0, lastSlot: 8191 },
        { shard: 1, address: 'h:7', restAddress: 'h:8', firstSlot: 8192, lastSlot: 16383 },
      ],
      standbys: [{ address: 'h:3', restAddress: 'h:4' }],
    });
  });

  test('ignores an owner that is not later than the one it knows, but takes the standbys', () => {
    const taken = topology();
    taken.take([owner(0, 7, 11)], []);
    for (const incarnation of [6, 7]) taken.take([owner(0, incarnation, 13)], [{ grpc: 'h:13', rest: 'h:14' }]);
    expect([taken.addresses, taken.version, taken.standbys]).toEqual([['h:11', 'h:3'], 8, [{ grpc: 'h:13', rest: 'h:14' }]]);
  });

  test('has the same version at all gateways that know the same owners, in whatever order they learned them', () => {
    const changes = [owner(0, 1, 1), owner(1, 2, 3), owner(0, 4, 5), owner(1, 9, 7), owner(0, 10, 9)];
    const [some, others] = [topology(), topology()];
    const versions = changes.map((change) => (some.take([change], []), some.version));
    others.take([...changes].reverse(), []);
    expect(versions).toEqual([2, 4, 7, 14, 20]);
    expect(others.describe()).toEqual(some.describe());
  });

  test('tells of the members that have moved, once all of the state is taken', () => {
    const taken = topology();
    const moved: unknown[] = [];
    taken.movedListeners.add(({ shard, grpc }, previous) => moved.push([shard, previous, grpc, taken.version, taken.standbys.length]));
    taken.take([owner(0, 2, 1), owner(1, 3, 7)], [{ grpc: 'h:9', rest: 'h:10' }]);
    expect(moved, 'the first one has the address that it had').toEqual([[1, 'h:3', 'h:7', 6, 1]]);
    taken.take([owner(0, 4, 3), owner(1, 5, 9)], []);
    expect(moved.slice(1)).toEqual([
      [0, 'h:1', 'h:3', 10, 0],
      [1, 'h:7', 'h:9', 10, 0],
    ]);
  });
});
