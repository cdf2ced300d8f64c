import { randomFrom } from '@claret/client/testing';
import { describe, expect, test } from 'vitest';
import { Directory } from './directory.ts';
import { encodeOwner, ownerKey } from './owner.ts';
import type { Owner } from './owner.ts';
import { Announcer, standbyKey } from './standbys.ts';
import { Machine, World } from './testing/machines.ts';

const LEASE_MS = 2_000;
const OWNER: Owner = {
  gateway: 'a',
  grpc: 'a:1',
  rest: 'a:2',
  incarnation: 5,
  sinceMs: 0,
  wallMs: 0,
  renewals: 0,
  isReleased: false,
  log: 'log',
  before: null,
};
const STANDBY = { gateway: 'c', grpc: '127.0.0.1:7405', rest: '127.0.0.1:7404' };

function begin() {
  const world = new World(randomFrom(1));
  const machine = new Machine(world, 1);
  const troubles: string[] = [];
  const directory = new Directory({
    environment: machine.environment,
    leaseMs: LEASE_MS,
    onTrouble: ({ message }) => void troubles.push(message),
  });
  let changes = 0;
  directory.onChange = () => void changes++;
  let revision = 0;
  const take = (shard: number, change: Partial<Owner>) =>
    directory.take(ownerKey(shard), { value: encodeOwner({ ...OWNER, ...change }), revision: ++revision });
  return { world, machine, directory, troubles, take, changes: () => changes };
}

describe('a directory', () => {
  test('has the newest owner of each shard, and reports a change, but no renewal', () => {
    const { directory, take, changes } = begin();
    take(1, { gateway: 'b' });
    take(0, {});
    take(0, { renewals: 1 });
    expect(directory.owners.map(({ shard, gateway }) => [shard, gateway])).toEqual([
      [0, 'a'],
      [1, 'b'],
    ]);
    expect(changes()).toBe(2);
    take(0, { gateway: 'c', incarnation: 6 });
    expect(directory.owners[0]!.gateway).toBe('c');
    expect(changes()).toBe(3);
  });

  test('counts no owner as present that has given its shard up, or has renewed nothing for two leases', async () => {
    const { world, directory, take } = begin();
    take(0, {});
    take(1, { isReleased: true });
    expect(directory.presentOwners.map(({ shard }) => shard)).toEqual([0]);
    await world.runUntil(1.9 * LEASE_MS);
    expect(directory.presentOwners).toHaveLength(1);
    await world.runUntil(2.1 * LEASE_MS);
    expect(directory.presentOwners).toEqual([]);
    expect(directory.owners).toHaveLength(2);
  });

  test('leaves out a standby that says nothing any more, and one that says that it is none', async () => {
    const { world, machine, directory } = begin();
    const follows = [{ shard: 0, position: 7, isReady: true }];
    const announcer = new Announcer({
      environment: machine.environment,
      candidate: STANDBY,
      follows: () => follows,
      set: async (key, value) => directory.take(key, { value, revision: 1 }),
      remove: async (key) => directory.take(key, undefined),
    });
    await world.runUntil(10_000);
    expect(directory.standbys).toEqual([{ ...STANDBY, follows }]);
    await announcer.stop();
    expect(directory.standbys).toEqual([]);
    directory.take(standbyKey(STANDBY), { value: JSON.stringify({ ...STANDBY, follows }), revision: 1 });
    expect(directory.standbys).toHaveLength(1);
    await world.runUntil(14_000);
    expect(directory.standbys).toEqual([]);
  });

  test('remembers where gateways have served, also those that are gone', async () => {
    const { world, directory, take } = begin();
    take(0, { rest: 'b:2', before: { grpc: 'a:1', rest: 'a:2' } });
    directory.take(standbyKey(STANDBY), { value: JSON.stringify({ ...STANDBY, follows: [] }), revision: 1 });
    take(0, { rest: 'd:2', incarnation: 6, before: { grpc: 'b:1', rest: 'b:2' } });
    await world.runUntil(14_000);
    expect(directory.standbys).toEqual([]);
    expect([...directory.restAddresses]).toEqual(['b:2', 'a:2', STANDBY.rest, 'd:2']);
  });

  test('leaves out a standby that has taken a shard, before it has said so', () => {
    const { directory, take } = begin();
    directory.take(standbyKey(STANDBY), { value: JSON.stringify({ ...STANDBY, follows: [] }), revision: 1 });
    expect(directory.standbys).toHaveLength(1);
    take(0, { gateway: STANDBY.gateway });
    expect(directory.standbys).toEqual([]);
  });

  test('reports an entry that names no owner, and goes on with the one before', () => {
    const { directory, take, troubles } = begin();
    take(0, {});
    const { before: _before, ...old } = OWNER;
    for (const value of ['', '{}', 'null', '{"gateway":"x"}', JSON.stringify(old)]) directory.take(ownerKey(0), { value, revision: 9 });
    directory.take('standby.x', { value: 'no standby', revision: 10 });
    expect(directory.owners[0]!.gateway).toBe('a');
    expect(directory.standbys).toEqual([]);
    expect(troubles).toEqual(Array(5).fill('the entry of shard 0 should name its owner, and holds something else'));
  });
});
