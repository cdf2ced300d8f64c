// Who decides on installed types, and how gateways that lack one come to have it, with fake shards.
import type { InstalledType } from '@claret/core';
import { afterEach, expect, test, vi } from 'vitest';
import type { ClusterMember } from '../cluster.ts';
import { GatewayError } from '../errors.ts';
import { LATER_TALLY, SEAT_MAP, TALLY, renamed } from '../testing/definitions.ts';
import { ClusterTypes } from './cluster-types.ts';
import type { PeerTypes } from './cluster-types.ts';
import { OwnTypes } from './own-types.ts';
import { hashOf } from './type-trials.ts';
import type { TypeTrials } from './type-trials.ts';

const nameOf = (definition: string) => (JSON.parse(definition) as { name: string }).name;
const versionOf = (definition: string) => (JSON.parse(definition) as { version: number }).version;

/** Takes changes as a shard does; with `stuck`, they never become durable. */
class FakeHost {
  types = new Map<number, InstalledType>();
  stuck = false;

  change(type: InstalledType): string | undefined {
    const before = this.types.get(type.id);
    if (before !== undefined && before.definition !== type.definition && versionOf(type.definition) <= versionOf(before.definition))
      return 'this one has to be later';
    if (!this.stuck) this.types.set(type.id, type);
    return undefined;
  }
  installed = () => ({ types: [...this.types.values()], done: !this.stuck });
  catalogue = () => '{}';
}

class World {
  readonly hosts: FakeHost[] = [];
  readonly gateways: ClusterTypes[] = [];
  readonly away = new Set<number>();
  readonly log = { info: vi.fn(), warn: vi.fn() };
  private readonly members: ClusterMember[] = [];

  constructor(shards: number) {
    for (let shard = 0; shard < shards; shard++) this.members.push({ shard } as ClusterMember);
    for (let shard = 0; shard < shards; shard++) this.add(shard);
  }

  /** Starts a gateway without a memory. */
  add(shard: number): void {
    const host = (this.hosts[shard] = new FakeHost());
    const at = ({ shard: other }: ClusterMember) => {
      if (this.away.has(other) || this.away.has(shard)) throw new GatewayError('shard_unavailable', `shard ${other} is away`);
      return this.gateways[other]!;
    };
    const peers: PeerTypes = {
      getTypes: async (member) => at(member).own.list(),
      getType: async (member, id) => at(member).own.withId(id),
      followType: async (member, id) => at(member).follow(id),
      checkType: async (member, definition, trial) => at(member).check(definition, trial),
      installType: async (member, definition) => at(member).install(definition, ''),
      retireType: async (member, name) => at(member).retire(name, ''),
    };
    const report = (definition: string) => ({
      hash: hashOf(definition),
      name: nameOf(definition),
      version: versionOf(definition),
      seed: '1',
      pairs: [],
    });
    const trials = { run: async (text: string) => report(text), pass: async (text: string) => report(text), close() {} };
    const own = new OwnTypes(host, { take() {} }, 50);
    const { members, log } = this;
    this.gateways[shard] = new ClusterTypes({
      shard,
      members,
      sources: [...members],
      own,
      peers,
      trials: trials as unknown as TypeTrials,
      reserved: ['Set', 'Record'],
      log,
    });
  }

  /** Another shard joins. */
  greet(): void {
    const shard = this.members.length;
    this.members.push({ shard } as ClusterMember);
    this.add(shard);
  }

  /** "128 Tally 1" of each shard */
  get state(): string[][] {
    const words = ({ id, definition, retired }: InstalledType) =>
      [id, nameOf(definition), versionOf(definition), ...(retired ? ['retired'] : [])].join(' ');
    return this.hosts.map(({ types }) => [...types.values()].map(words));
  }

  async joinAll(): Promise<void> {
    for (const gateway of this.gateways) await gateway.join();
  }
}

let world: World;
afterEach(() => {
  for (const gateway of world.gateways) gateway.close();
});

const refusal = (work: Promise<unknown>) => work.catch((error: GatewayError) => error.code);

test('two installations at once, through different gateways, get different ids, the same everywhere', async () => {
  world = new World(3);
  await Promise.all([world.gateways[1]!.install(TALLY, 'a'), world.gateways[2]!.install(SEAT_MAP, 'b')]);
  expect(world.state[0]!.toSorted().map((words) => words.slice(4))).toHaveLength(2);
  expect(new Set(world.state.map((one) => one.toSorted().join()))).toHaveProperty('size', 1);
  expect(new Set(world.hosts[0]!.types.keys())).toEqual(new Set([128, 129]));
});

test('while a shard is away nothing is changed; shard 0 has to be there too', async () => {
  world = new World(3);
  world.away.add(2);
  expect(await refusal(world.gateways[0]!.install(TALLY, ''))).toBe('shard_unavailable');
  world.away.clear();
  world.away.add(0);
  expect(await refusal(world.gateways[1]!.install(TALLY, ''))).toBe('shard_unavailable');
  expect(world.state).toEqual([[], [], []]);
});

test('a change that is not durable at shard 0 is told to nobody else', async () => {
  world = new World(2);
  world.hosts[0]!.stuck = true;
  expect(await refusal(world.gateways[0]!.install(TALLY, ''))).toBe('types_partial');
  expect(world.state).toEqual([[], []]);
});

test('a shard that is lost in between is named, and follows once it can be reached', async () => {
  vi.useFakeTimers();
  world = new World(2);
  await world.joinAll();
  const change = world.hosts[0]!.change.bind(world.hosts[0]);
  world.hosts[0]!.change = (type) => {
    world.away.add(1);
    return change(type);
  };
  const error: unknown = await world.gateways[0]!.install(TALLY, '').catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'types_partial', detail: { extra: { shards: [{ shard: 0 }, { shard: 1, types: null }] } } });
  world.away.clear();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(world.state).toEqual([['128 Tally 1'], ['128 Tally 1']]);
  vi.useRealTimers();
});

test('what is retired follows shard 0 alone; types and later versions come from anywhere', async () => {
  world = new World(3);
  await world.gateways[0]!.install(TALLY, '');
  world.hosts[1]!.types.set(128, { id: 128, retired: true, definition: TALLY });
  world.hosts[2]!.types.set(128, { id: 128, retired: false, definition: LATER_TALLY });
  await world.joinAll();
  expect(world.state).toEqual([['128 Tally 2'], ['128 Tally 2'], ['128 Tally 2']]);
});

test('a gateway of shard 0 that has lost its memory takes everything back, and does not give an id twice', async () => {
  world = new World(2);
  await world.gateways[0]!.install(TALLY, '');
  await world.gateways[0]!.retire('Tally', '');
  world.add(0);
  await world.gateways[0]!.install(SEAT_MAP, '');
  expect(world.state).toEqual([
    ['128 Tally 1 retired', '129 SeatMap 1'],
    ['128 Tally 1 retired', '129 SeatMap 1'],
  ]);
});

test('what a shard has that has joined by a greeting is taken by nobody; it is told of changes', async () => {
  world = new World(2);
  world.greet();
  world.hosts[2]!.types.set(128, { id: 128, retired: false, definition: TALLY });
  await world.joinAll();
  expect(world.state.slice(0, 2)).toEqual([[], []]);
  expect(await refusal(world.gateways[1]!.install(SEAT_MAP, ''))).toBe('type_conflict');
  world.hosts[2]!.types.clear();
  await world.gateways[1]!.install(SEAT_MAP, '');
  expect(world.state).toEqual([['128 SeatMap 1'], ['128 SeatMap 1'], ['128 SeatMap 1']]);
});

test('a shard takes nothing that shard 0 does not have', async () => {
  world = new World(2);
  expect(await refusal(world.gateways[1]!.follow(128))).toBe('type_not_installed');
  world.hosts[0]!.types.set(128, { id: 128, retired: true, definition: TALLY });
  expect(await world.gateways[1]!.follow(128)).toMatchObject({ types: [{ id: 128, retired: true }], done: true });
});

test('shards that disagree on an id are left as they are, and nothing is installed', async () => {
  world = new World(2);
  await world.gateways[0]!.install(TALLY, '');
  world.hosts[1]!.types.set(128, { id: 128, retired: false, definition: SEAT_MAP });
  await world.joinAll();
  expect(await refusal(world.gateways[0]!.install(renamed(TALLY, 'Other'), ''))).toBe('type_conflict');
  expect(world.state).toEqual([['128 Tally 1'], ['128 SeatMap 1']]);
});

test('of 120 types, none is installed any more, and a name is not given twice by its case', async () => {
  world = new World(1);
  for (let at = 0; at < 120; at++)
    world.hosts[0]!.types.set(128 + at, { id: 128 + at, retired: true, definition: renamed(TALLY, `T${at}`) });
  expect(await refusal(world.gateways[0]!.install(TALLY, ''))).toBe('type_conflict');
  expect(await refusal(world.gateways[0]!.install(renamed(TALLY, 'SET'), ''))).toBe('type_conflict');
});
