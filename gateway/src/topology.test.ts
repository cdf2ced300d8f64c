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
    expect(second).toMatchObject({ shard: 1, grpc: 'h:7', rest: 'h:8', slots: [{ first: 8192, last: 16383, version: 0 }] });
    expect(taken.addresses).toEqual(['h:1', 'h:7']);
    expect(taken.describe()).toEqual({
      version: 6,
      durability: 'sync',
      replicated: true,
      shards: [
        { shard: 0, address: 'h:1', restAddress: 'h:2', slots: [{ first: 0, last: 8191, version: 0 }] },
        { shard: 1, address: 'h:7', restAddress: 'h:8', slots: [{ first: 8192, last: 16383, version: 0 }] },
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

  test('gives slots to the shard that claims them with the greatest version, and counts each move', () => {
    const taken = topology(false);
    const [first, second] = taken.members;
    expect(taken.takeSlots(1, [{ first: 8192, last: 16383, version: 0 }])).toBe(false);
    const wider = [
      { first: 8000, last: 8191, version: 1 },
      { first: 8192, last: 16383, version: 0 },
    ];
    expect(taken.takeSlots(1, wider)).toBe(true);
    expect(first!.slots).toEqual([{ first: 0, last: 7999, version: 0 }]);
    expect(second!.slots).toEqual(wider);
    expect(taken.version).toBe(1 + 192);
    expect(taken.takeSlots(0, [{ first: 0, last: 8191, version: 0 }]), 'an answer from the past').toBe(false);
    expect(
      taken.takeSlots(0, [
        { first: 0, last: 7999, version: 0 },
        { first: 8190, last: 8191, version: 2 },
      ]),
    ).toBe(true);
    expect(second!.slots[0]).toEqual({ first: 8000, last: 8189, version: 1 });
    expect(taken.version).toBe(1 + 192 + 2);
  });

  test('leaves slots that a shard has given with it, until another one has them', () => {
    const taken = topology(false);
    taken.takeSlots(0, [{ first: 0, last: 7999, version: 0 }]);
    expect(taken.members[0]!.slots).toEqual([{ first: 0, last: 8191, version: 0 }]);
    expect(taken.version).toBe(1);
  });

  test('takes a further shard, without slots at first', () => {
    const taken = topology(false);
    const joined: number[] = [];
    taken.joinedListeners.add(({ shard }) => joined.push(shard));
    expect(taken.join(3, { grpc: 'h:9', rest: 'h:10' }), 'shard 2 is not known').toBe(false);
    expect(taken.join(2, { grpc: 'h:5', rest: 'h:6' })).toBe(true);
    expect(taken.join(2, { grpc: 'h:5', rest: 'h:6' })).toBe(false);
    taken.takeSlots(2, [{ first: 100, last: 200, version: 1 }]);
    expect(taken.describe().shards[2]).toEqual({
      shard: 2,
      address: 'h:5',
      restAddress: 'h:6',
      slots: [{ first: 100, last: 200, version: 1 }],
    });
    expect(joined).toEqual([2]);
  });

  test('learns where the doors are, from those that join and from those that say so, and hides them from clients of its own', () => {
    const taken = topology(false);
    const doors = () => taken.members.map(({ resp }) => resp);
    taken.join(2, { grpc: 'h:5', rest: 'h:6', resp: 'h:7' });
    taken.takeDoor(0, 'h:8');
    expect(doors()).toEqual(['h:8', undefined, 'h:7']);
    taken.takeDoor(2, undefined);
    taken.takeDoor(9, 'h:9');
    expect(doors()).toEqual(['h:8', undefined, undefined]);
    expect(taken.describe().shards[0]).toEqual({ shard: 0, address: 'h:1', restAddress: 'h:2', slots: taken.members[0]!.slots });
  });

  test('of a replicated cluster has the doors of the owners, whatever a gateway that owns nothing any more says', () => {
    const taken = topology();
    taken.take([{ ...owner(0, 2, 5), resp: 'h:7' }], []);
    taken.takeDoor(0, 'h:8');
    expect(taken.members[0]!.resp).toBe('h:7');
    taken.take([owner(0, 3, 9)], []);
    expect(taken.members[0]!.resp).toBeUndefined();
  });

  test('tells of each change, and of nothing else', () => {
    const taken = topology();
    let changes = 0;
    taken.changedListeners.add(() => changes++);
    const grows = (change: () => void) => {
      const before = changes;
      change();
      return changes > before;
    };
    expect(grows(() => taken.take([owner(0, 2, 1)], []))).toBe(true);
    expect(grows(() => taken.take([owner(0, 2, 1)], [{ grpc: 'h:9', rest: 'h:10' }]))).toBe(false);
    expect(grows(() => taken.takeSlots(1, [{ first: 0, last: 5, version: 1 }]))).toBe(true);
    expect(grows(() => taken.takeSlots(1, [{ first: 0, last: 5, version: 1 }]))).toBe(false);
    expect(grows(() => taken.join(2, { grpc: 'h:5', rest: 'h:6' }))).toBe(true);
    const local = topology(false);
    local.changedListeners.add(() => changes++);
    expect(grows(() => local.takeDoor(1, 'h:7'))).toBe(true);
    expect(grows(() => local.takeDoor(1, 'h:7'))).toBe(false);
  });

  test('takes a further shard of a replicated cluster with its owner', () => {
    const taken = topology();
    taken.take([owner(2, 4, 9)], []);
    expect([taken.addresses, taken.version]).toEqual([['h:1', 'h:3', 'h:9'], 5]);
  });
});
