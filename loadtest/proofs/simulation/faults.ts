// Faults of a process, a stream or a clock, each as one function on its target.
import type { Conditions } from '@claret/core';
import type { Chance } from '../../kit/random.ts';
import type { Fault, Target } from './fault.ts';
import { MOVE_FAULTS } from './moves/move-faults.ts';
import { TAKE_OVER_FAULTS } from './replicated/take-over-faults.ts';

/** From the usual skew between machines to a clock that was set wrong. */
const SKEWS_MS = [2_000, 90_000, 3 * 3_600_000];
/** For a loop of restarts: each takes at least as long as a real one. */
const STARTS_MAX = 40;
const START_MS: readonly [number, number] = [10, 60];
/** After a turn has come: its members have left or not, and their batch too. */
const FROZEN_AFTER_MS = 4;
const FROZEN_MS: readonly [number, number] = [60, 400];
/** The shard with the lowest number hands out turns. */
const SEQUENCER = 0;
const HIDDEN_MS = [5, 50, 1_000];
/** Far beyond a session's lease, or well within it. */
const SILENCES_MS = [20, 300, 2_500];
const DOWN_MS = [1, 50, 1_500];
/** A turn reads the clocks a few times. */
const READINGS_MAX = 40;
/** Multiples of the term of warranties. */
const ABOUT_TERM: readonly [number, number] = [0.2, 1.8];
const aboutTermMs = ({ termMs }: Target, chance: Chance): number => termMs * chance.between(...ABOUT_TERM);
const downMs = (chance: Chance): number => chance.between(0.1, 1) * chance.pick(DOWN_MS);
/** Steps of a disk: within a few hundred milliseconds of load, and within a start. */
const WRITES_STEPS = 200;
const STARTS_STEPS = 12;

export const FAULTS = {
  ...TAKE_OVER_FAULTS,
  ...MOVE_FAULTS,
  breakStream({ network }, chance) {
    const end = network.anyStream(chance);
    if (end !== undefined) network.breakStream(end);
  },
  partition({ network, servers, appServers }, chance) {
    const names = [...servers.map(({ node }) => node.name), ...appServers.map(({ node }) => node.name)];
    network.partition(chance.pick(names), chance.pick(names), chance.between(1, 3_000));
  },
  stallShard({ servers }, chance) {
    chance.pick(servers).node.stall(chance.between(0.1, 1) * chance.pick(SILENCES_MS));
  },
  /** Unless it is silent already: silences that prolong each other may last for minutes. */
  stallClient({ appServers }, chance) {
    if (appServers.length === 0) return;
    const appServer = chance.pick(appServers);
    const forMs = chance.between(0.1, 1) * chance.pick(SILENCES_MS);
    if (!appServer.node.isStalled) appServer.stall(forMs);
  },
  /** The next app server that gets a turn, unless one is frozen then. */
  freezeInTurn({ freezes }, chance) {
    freezes.arm(chance.between(0, FROZEN_AFTER_MS), chance.between(...FROZEN_MS));
  },
  /** From a reading of a clock on, within a turn. */
  stallInTurn(target, chance) {
    const { servers, appServers } = target;
    const nodes = (chance.happens(0.7) ? appServers : servers).map(({ node }) => node);
    if (nodes.length > 0) chance.pick(nodes).stallAtReading(1 + chance.below(READINGS_MAX), aboutTermMs(target, chance));
  },
  silenceClient(target, chance) {
    if (target.appServers.length > 0) chance.pick(target.appServers).stall(aboutTermMs(target, chance));
  },
  suspendClient(target, chance) {
    if (target.appServers.length > 0) chance.pick(target.appServers).node.suspend(aboutTermMs(target, chance));
  },
  cutOneWay(target, chance) {
    const { network, servers, appServers } = target;
    if (appServers.length === 0) return;
    const [client, shard] = [chance.pick(appServers).node.name, chance.pick(servers).node.name];
    const [from, to] = chance.happens(0.5) ? [client, shard] : [shard, client];
    network.cutOneWay(from, to, aboutTermMs(target, chance));
  },
  stallSequencer({ servers }, chance) {
    servers[SEQUENCER]!.node.stall(chance.between(0.1, 1) * chance.pick(SILENCES_MS));
  },
  crashSequencer({ servers }, chance) {
    servers[SEQUENCER]!.crashAndStart(downMs(chance));
  },
  /** From one app server, which asks another shard for its turns meanwhile. */
  hideSequencer({ network, servers, appServers }, chance) {
    if (appServers.length === 0) return;
    const names = [chance.pick(appServers).node.name, servers[SEQUENCER]!.node.name] as const;
    network.partition(...names, chance.between(0.1, 1) * chance.pick(HIDDEN_MS));
    if (chance.happens(0.7)) network.breakBetween(...names);
  },
  crashShard({ servers }, chance) {
    chance.pick(servers).crashAndStart(downMs(chance));
  },
  /** At a step of its disk: before, within or after a write, in a checkpoint, or in the middle of the next start. */
  crashAtWrite({ servers }, chance) {
    const server = chance.pick(servers);
    let again = chance.below(3);
    const crash = () => {
      server.crashAndStart(downMs(chance));
      if (again-- > 0) server.disk.crashAfter(1 + chance.below(STARTS_STEPS), crash);
    };
    server.disk.crashAfter(1 + chance.below(WRITES_STEPS), crash);
  },
  /** All shards at once, as in a power failure. */
  crashAll({ servers }, chance) {
    for (const server of servers) server.crashAndStart(downMs(chance));
  },
  killClient(target, chance) {
    if (target.appServers.length === 0) return;
    target.kill(chance.pick(target.appServers));
    target.world.after(chance.between(1, 500), () => target.startAppServer());
  },
  jumpClock({ servers, appServers }, chance) {
    const server = chance.pick(servers);
    const skewMs = chance.between(-1, 1) * chance.pick(SKEWS_MS);
    if (appServers.length > 0 && chance.happens(0.3)) chance.pick(appServers).node.skewMs = skewMs;
    else server.setSkew(chance.happens(0.3) ? 0 : skewMs);
  },
  /** A process that ends as soon as it serves, and is restarted at once, repeatedly. */
  restartLoop(target, chance) {
    const server = chance.pick(target.servers);
    let left = 1 + chance.below(STARTS_MAX);
    const again = () => {
      if (left-- === 0 || target.closing) return;
      server.crashAndStart(chance.between(...START_MS));
      target.world.after(2 * START_MS[1], again);
    };
    again();
  },
  switchConditions(target, chance) {
    // One shard after another, as an operator's requests reach them.
    const conditions = { ...anyConditions(chance), warranties: anyPromises(chance) === 'off' ? 'off' : 'auto' } as const;
    target.conditions = conditions;
    for (const server of target.servers) {
      target.world.after(chance.between(0, 20), () => {
        server.conditions = conditions;
        server.host?.setConditions(conditions);
      });
    }
  },
  slowDisk({ servers }, chance) {
    chance.pick(servers).disk.slow([1, chance.pick([20, 100, 700])], chance.between(10, 1_000));
  },
  fullDisk({ world, servers }, chance) {
    const { disk } = chance.pick(servers);
    disk.full = true;
    world.after(chance.between(1, 1_500), () => void (disk.full = false));
  },
  failSync({ servers }, chance) {
    chance.pick(servers).disk.failing = true;
  },
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;

/** `none` has no isolation to check, so it is excluded. */
export function anyConditions(chance: Chance): Conditions {
  const conditions = {
    locks: chance.happens(0.3) ? 'rw' : 'abstract',
    phasing: chance.happens(0.75),
    combining: chance.pick(['auto', 'auto', 'off'] as const),
  } as const;
  chance.next(); // for a condition that is no more: a seed gives the run that it gave before
  return conditions;
}

export const PROMISES = ['all', 'worth'] as const;

/** What shards promise: nothing, all that they may, or what is worth it. */
export const anyPromises = (chance: Chance): 'off' | (typeof PROMISES)[number] => (chance.happens(0.5) ? 'off' : chance.pick(PROMISES));
