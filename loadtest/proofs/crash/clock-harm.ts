// Clocks that jump: the wall clock of each gateway is set again and again while a round goes on, also while its process is dead, from fractions
// of a second to half an hour away from the time, so by up to an hour at once.

import type { Chance } from '../../kit/random.ts';
import type { Actor } from './actor.ts';
import type { Harm } from './harm.ts';
import type { Store } from './store.ts';
import { trace } from './trace.ts';

/** Two clocks may be this far apart before their shards refuse transactions over both: the default, and so far that they never are. */
const SKEW_MS_MAX = [5_000, 3_600_000] as const;
/** From the usual distance of two machines, over those about which gateways change their mind, to a clock that was set wrong. */
const AHEAD_MS = [400, 3_000, 8_000, 90_000, 1_800_000] as const;
const RIGHT_SHARE = 0.25;
const WAKES_ELSEWHERE_SHARE = 0.6;
const TIMES: readonly [number, number] = [5, 14];
const APART_MS: readonly [number, number] = [50, 1_500];

/** A setting of a run's gateways. */
export const anyMaxSkewMs = (chance: Chance): number => chance.pick(SKEW_MS_MAX);

const anyAheadMs = (chance: Chance): number => Math.round(chance.between(-1, 1) * chance.pick(AHEAD_MS));

/** From now on the clocks of all gateways agree, though not on the time. Without clocks that can be set, it does nothing. */
export function letClocksAgree(store: Store, chance: Chance): void {
  const clocks = store.gateways.flatMap((gateway) => store.clockOf(gateway) ?? []);
  if (clocks.length === 0) return;
  const aheadMs = anyAheadMs(chance);
  trace('all gateways', `have their clocks set: ${aheadMs / 1000} s`);
  for (const clock of clocks) clock.set(aheadMs);
}

/** Comes on top of a round's other harm, after which gateways start with other clocks than they had when they fell. */
export function planJumps(gateways: readonly Actor[], harms: readonly Harm[], chance: Chance): Harm[] {
  for (const harm of harms)
    if (gateways.includes(harm.actor) && chance.happens(WAKES_ELSEWHERE_SHARE)) harm.wakesAheadMs = anyAheadMs(chance);
  return gateways.map((actor) => ({
    actor,
    attempts: 0,
    moment: 0,
    dead: 0,
    blows: Array.from({ length: Math.round(chance.between(...TIMES)) }, () => ({
      how: 'clock' as const,
      aheadMs: chance.happens(RIGHT_SHARE) ? 0 : anyAheadMs(chance),
      afterMs: chance.between(...APART_MS),
    })),
  }));
}
