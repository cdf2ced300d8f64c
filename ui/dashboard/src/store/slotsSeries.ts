// How many slots each shard had, and the moves of slots that were under way.
import type { Slots } from '@claret/client/telemetry';
import { ToldSeries, type ToldAt } from './toldSeries.ts';

export type SlotsAt = ToldAt<Slots>;
export type SlotsSeries = ToldSeries<Slots>;

/** Limit on shards and moves in all entries together. */
const KEPT_MAX = 60_000;

export const slotsSeries = (): SlotsSeries =>
  new ToldSeries({
    keptMax: KEPT_MAX,
    weight: ({ shards, moves }) => 1 + shards.length + moves.length,
    // A move is short: each step of its progress is kept.
    essence: ({ shards, moves }) => [shards.map(({ rest_address, slots }) => [rest_address, slots]), moves],
  });
