// Reliance: on what an attempt relies when its body is done, and what it asks of the votes for it.
//
// What stands is pinned: it has to stand when the last vote is cast, and to be right at the timestamp of the commit, so the votes have limits. That
// costs its shard nothing. What does not stand, or what the attempt changes itself, is validated. If there is nothing to vote on, the attempt
// commits at once, as of `at`.

import { isBefore, later, type Wide } from '../wire/wide.ts';
import type { Pinner } from './grant.ts';
import type { Use, Validation } from './use.ts';

const ZERO: Wide = { high: 0, low: 0 };
const GREATEST: Wide = { high: 2 ** 32 - 1, low: 2 ** 32 - 1 };

/** The attempt that relies. Implemented once, since attempts stand above warranties. */
export interface ReliantAttempt extends Pinner {
  /** its body runs */
  readonly running: boolean;
  /** the shards that take part */
  readonly shards: readonly number[];
  /** An operation changes the record. */
  changes(key: string): boolean;
  shardOf(key: string): number;
  /** The shard's clock is known, so its vote can be limited. */
  clockKnown(shard: number): boolean;
  /** Asks for the result of the use: at once, or with the vote. */
  validate(use: Use, atOnce: boolean): Validation;
}

export interface Reliance {
  /** to be validated with the votes */
  readonly validated: readonly Use[];
  /** relied on without asking */
  readonly pinned: readonly Use[];
  /** All that is pinned is right at this timestamp, which every vote has to be above, */
  readonly at: Wide;
  /** and up to this one, which no vote may be above. */
  readonly notAfter: Wide;
  /** Until then it stands, on the steady clock. */
  readonly untilMs: number;
}

/** @param uses neither asked nor locked */
export function relianceOf(uses: readonly Use[], deeds: ReliantAttempt, nowMs: number): Reliance {
  const validated = new Set<Use>();
  const shards = new Set(deeds.shards);
  const validate = (some: readonly Use[]) => {
    for (const use of some) {
      validated.add(use);
      shards.add(deeds.shardOf(use.grant.call.key));
    }
  };
  // A change must not wait for its own attempt's pin.
  validate(uses.filter(({ grant }) => !grant.stands(nowMs) || deeds.changes(grant.call.key)));
  for (;;) {
    if (![...shards].every((shard) => deeds.clockKnown(shard))) validate(uses);
    const pinned = uses.filter((use) => !validated.has(use));
    const at = pinned.reduce((latest, { grant }) => later(latest, later(grant.from, grant.holder.now)), ZERO);
    const behind = pinned.filter(({ grant }) => isBefore(grant.holder.until, at));
    if (behind.length === 0) return { validated: [...validated], pinned, at, ...endOf(pinned) };
    validate(behind);
  }
}

function endOf(pinned: readonly Use[]): { notAfter: Wide; untilMs: number } {
  let notAfter = GREATEST;
  let untilMs = Infinity;
  for (const { holder } of pinned.map(({ grant }) => grant)) {
    if (isBefore(holder.until, notAfter)) notAfter = holder.until;
    untilMs = Math.min(untilMs, holder.leaseUntilMs);
  }
  return { notAfter, untilMs };
}
