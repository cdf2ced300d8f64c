// The harm of a round: blows to processes, at moments drawn before the load begins. What a moment hits (a vote, a write of the log,
// a checkpoint, a recovery) depends on the machine: a seed gives the same plan, not the same run.

import type { Chance } from '../../kit/random.ts';
import type { Actor } from './actor.ts';
import type { Cast } from './cast.ts';
import { WARRANTY_TERM_MS, type Store } from './store.ts';
import { trace } from './trace.ts';
import { pause } from './until.ts';

/** Share of rounds in which all gateways are killed at once. */
const BLACKOUT_SHARE = 0.12;
/** Share of rounds in which one gateway is killed repeatedly, just after it has started to serve. */
const LOOP_SHARE = 0.05;
const LOOP_KILLS: readonly [number, number] = [15, 30];
const LOOP_MS: readonly [number, number] = [300, 1_000];
const STRUCK_SHARE = { gateway: 0.5, other: 0.14 };
/** The gateway of the epochs' manager is killed, or stopped again and again, for less or more time than others wait for it (docs/rules.md, section 18). */
const MANAGER_STRUCK = { share: 0.3, kill: 0.5, successor: 0.3, laterMs: [0, 300] } as const;
const MANAGER_STOPS = { times: 3, frozenMs: [50, 900], runsMs: [50, 400] } as const;
/** Probability that a restarted gateway is killed again, most likely while it recovers or settles. */
const AGAIN_SHARE = 0.4;
const FALLS_MAX = 3;
/** Upper bounds on the number of disk calls until the process is killed; a start makes several tens of them. */
const CALLS_MAX = { start: 50, load: 120, shutdown: 25 };
/** A gateway that does not reach its fatal call is killed after this time. */
const CALLS_WITHIN_MS = 1_200;
/** Sometimes longer than a session's lease. */
const FROZEN_MAX_MS = 1_400;
/** Clients that stop again and again for a moment: longer than the patience with a chain (docs/rules.md, section 7). */
const STUTTER = { share: 0.3, times: 8, frozenMs: [10, 50], runsMs: [5, 60] } as const;
/** Clients that hold warranties stand still, for less or for more than the term: changes wait for them, and then do without them. */
const SILENCE = { share: 0.4, times: 3, frozenMs: [0.2 * WARRANTY_TERM_MS, 1.8 * WARRANTY_TERM_MS], runsMs: [20, 300] } as const;

export type Blow =
  | { how: 'kill' }
  /** killed at its nth call to the disk from now on; this share of the unsynced data has reached the disk */
  | { how: 'write'; calls: number; permille: number }
  /** SIGTERM; killed after this many ms, or at this many calls to its disk, if it has not ended by then */
  | { how: 'term'; killedAfterMs?: number; calls?: number }
  /** SIGSTOP; SIGCONT after this many ms */
  | { how: 'freeze'; ms: number }
  /** the actor's machine is cut off from the network, for this many ms */
  | { how: 'cut'; ms: number }
  /** its wall clock is set so far ahead of the time, whether or not it runs */
  | { how: 'clock'; aheadMs: number };

/** The manager of epochs: the live shard with the lowest number. */
export const MANAGER = 'manager of epochs';

export interface Harm {
  actor: Actor;
  /** when this many attempts of the round have ended, and this many ms later */
  attempts: number;
  moment: number;
  /** or after this time, if fewer have ended by then; by default a short one */
  patienceMs?: number;
  /** one after another, each this many ms after the previous one was over */
  blows: readonly (Blow & { afterMs: number })[];
  /** ms of downtime after each blow */
  dead: number;
  /** how far its wall clock is ahead of the time when it starts again; by default that is as it was */
  wakesAheadMs?: number;
  /** who is hit, for the report: "owner" */
  whom?: string;
  /** the shards that give no answer for a while */
  shards?: readonly number[];
}

/** Plans at least one kill. */
export function plan({ store: { gateways }, appServers, drivers }: Cast, chance: Chance): Harm[] {
  const when = () => ({
    attempts: chance.below(120),
    moment: chance.between(0, 20),
    dead: chance.happens(0.6) ? 0 : chance.between(0, 200),
  });
  if (chance.happens(BLACKOUT_SHARE)) {
    const together = when();
    return gateways.map((actor) => ({ actor, ...together, blows: [{ how: 'kill', afterMs: 0 }, ...more(chance)] }));
  }
  if (chance.happens(LOOP_SHARE)) return [loop(chance.pick(gateways), when(), chance)];
  const fallen = gateways.filter(() => chance.happens(STRUCK_SHARE.gateway));
  const others = [...appServers, ...drivers].filter(() => chance.happens(STRUCK_SHARE.other));
  const stuttering = [...appServers, ...drivers].filter((actor) => !others.includes(actor) && chance.happens(STUTTER.share));
  if (fallen.length + others.length === 0) fallen.push(chance.pick(gateways));
  const harms = [
    ...fallen.map((actor): Harm => ({ actor, ...when(), blows: [{ ...first(chance), afterMs: 0 }, ...more(chance)] })),
    ...stuttering.map((actor): Harm => ({ actor, ...when(), blows: frozenAgain(STUTTER, chance) })),
    ...others.map((actor): Harm => ({
      actor,
      ...when(),
      blows: [{ ...(chance.happens(0.8) ? { how: 'kill' } : { how: 'freeze', ms: chance.between(20, FROZEN_MAX_MS) }), afterMs: 0 }],
    })),
  ];
  if (!chance.happens(MANAGER_STRUCK.share)) return harms;
  const atManager = managerHarms(gateways, when(), chance);
  return [...atManager, ...harms.filter(({ actor }) => atManager.every((harm) => harm.actor !== actor))];
}

/** All gateways serve when a round begins, so the manager is at the first one. Sometimes the shard that follows it falls soon after it. */
function managerHarms(gateways: Cast['store']['gateways'], when: Pick<Harm, 'attempts' | 'moment' | 'dead'>, chance: Chance): Harm[] {
  const blows = (): Harm['blows'] =>
    chance.happens(MANAGER_STRUCK.kill) ? [{ how: 'kill', afterMs: 0 }, ...more(chance)] : frozenAgain(MANAGER_STOPS, chance);
  const [manager, successor] = gateways;
  const harms = [{ actor: manager!, ...when, blows: blows(), whom: MANAGER }];
  if (successor !== undefined && chance.happens(MANAGER_STRUCK.successor)) {
    const later = when.moment + chance.between(...MANAGER_STRUCK.laterMs);
    harms.push({ actor: successor, ...when, moment: later, blows: blows(), whom: MANAGER });
  }
  return harms;
}

/** For a round with warranties. */
export function silences({ appServers, drivers }: Cast, harms: readonly Harm[], chance: Chance): Harm[] {
  return [...appServers, ...drivers]
    .filter((actor) => harms.every((harm) => harm.actor !== actor) && chance.happens(SILENCE.share))
    .map((actor) => ({
      actor,
      attempts: chance.below(120),
      moment: chance.between(0, 20),
      dead: 0,
      blows: frozenAgain(SILENCE, chance),
    }));
}

type Freezes = Readonly<Record<'frozenMs' | 'runsMs', readonly [number, number]>> & { readonly times: number };

const frozenAgain = ({ times, frozenMs, runsMs }: Freezes, chance: Chance): Harm['blows'] =>
  Array.from({ length: times }, () => ({ how: 'freeze', ms: chance.between(...frozenMs), afterMs: chance.between(...runsMs) }));

/** Repeated starts must not move a shard's clock ahead, nor leave partial work. */
function loop(actor: Actor, when: Pick<Harm, 'attempts' | 'moment'>, chance: Chance): Harm {
  const kills = Math.round(chance.between(...LOOP_KILLS));
  const blows = Array.from({ length: kills }, (_, i) => ({ how: 'kill' as const, afterMs: i === 0 ? 0 : chance.between(...LOOP_MS) }));
  return { actor, ...when, blows, dead: 0 };
}

function first(chance: Chance): Blow {
  const kind = chance.next();
  if (kind < 0.35) return { how: 'kill' };
  if (kind < 0.7) return atWrite(chance, CALLS_MAX.load);
  if (kind < 0.88) return term(chance);
  return { how: 'freeze', ms: chance.between(20, FROZEN_MAX_MS) };
}

/** Further blows to a gateway that was just restarted. */
function more(chance: Chance): Harm['blows'] {
  const blows: (Blow & { afterMs: number })[] = [];
  while (blows.length < FALLS_MAX - 1 && chance.happens(AGAIN_SHARE)) {
    const kind = chance.next();
    if (kind < 0.6) blows.push({ ...atWrite(chance, CALLS_MAX.start), afterMs: 0 });
    else blows.push({ ...(kind < 0.85 ? { how: 'kill' } : term(chance)), afterMs: chance.between(20, 700) });
  }
  return blows;
}

const atWrite = (chance: Chance, callsMax: number): Blow => ({
  how: 'write',
  calls: 1 + chance.below(callsMax),
  permille: chance.happens(0.5) ? 0 : chance.below(1_001),
});

function term(chance: Chance): Blow {
  const kind = chance.next();
  if (kind < 0.4) return { how: 'term' };
  return kind < 0.7 ? { how: 'term', killedAfterMs: chance.between(0, 400) } : { how: 'term', calls: 1 + chance.below(CALLS_MAX.shutdown) };
}

/** Resolves when the actor is running again, though not yet ready. `onBlow`: called at each blow. */
export async function strike(store: Store, harm: Harm, onBlow: (blow: Blow) => void): Promise<void> {
  const { actor, blows, dead, wakesAheadMs } = harm;
  for (const blow of blows) {
    await pause(blow.afterMs);
    onBlow(blow);
    if (blow.how === 'freeze') {
      actor.signal('SIGSTOP');
      await pause(blow.ms);
      actor.signal('SIGCONT');
    } else if (blow.how === 'cut') {
      store.linkOf(actor)!.cut();
      await pause(blow.ms);
      store.linkOf(actor)!.join();
    } else if (blow.how === 'clock') {
      setClock(store, actor, blow.aheadMs);
    } else {
      await fell(store, actor, blow);
      await pause(dead);
      if (wakesAheadMs !== undefined) setClock(store, actor, wakesAheadMs);
      actor.start();
    }
  }
}

function setClock(store: Store, actor: Actor, aheadMs: number): void {
  trace(actor.name, `has its clock set: ${aheadMs / 1000} s ahead`);
  store.clockOf(actor)!.set(aheadMs);
}

async function fell(store: Store, actor: Actor, blow: Exclude<Blow, { ms: number } | { aheadMs: number }>): Promise<void> {
  if (blow.how === 'kill') return actor.kill();
  const disk = store.diskOf(actor);
  if (blow.calls !== undefined) disk!.dieAt({ calls: blow.calls, permille: blow.how === 'write' ? blow.permille : 0 });
  if (blow.how === 'write') await actor.killedWithin(CALLS_WITHIN_MS);
  else await actor.stop(blow.killedAfterMs);
  disk?.beWell();
}

/** It ends or stops a process, or cuts it off. */
export const isBlow = ({ how }: Blow): boolean => how !== 'clock';

export const nameOf = ({ actor, whom, blows }: Harm) =>
  `${actor.name}${whom === undefined ? '' : `, ${whom}`} (${blows.map(blowName).join(', ')})`;

function blowName(blow: Blow): string {
  if (blow.how === 'kill') return 'kill';
  if (blow.how === 'write') return `at call ${blow.calls}`;
  if (blow.how === 'freeze') return `frozen ${Math.round(blow.ms)} ms`;
  if (blow.how === 'clock') return `${blow.aheadMs < 0 ? '-' : '+'}${Math.abs(blow.aheadMs / 1000)} s`;
  if (blow.how === 'cut') return `cut off ${Math.round(blow.ms)} ms`;
  if (blow.killedAfterMs !== undefined) return `term, kill after ${Math.round(blow.killedAfterMs)} ms`;
  return blow.calls === undefined ? 'term' : `term, at call ${blow.calls}`;
}
