// How many shards the demo has, and among how many of them its slots are dealt, where no flag says so.
import { Problem } from './problem.js';

const SHARDS = 2;
/** With so few processors, transactions over shards cost much more than those on one (docs/benchmarks.md#site). */
const FEW_PROCESSORS = 2;

/**
 * `dealt`: the first of them, among which the slots were dealt at first. That never changes, so what is kept decides. `slotsMove`: the dashboard can
 * move slots to a shard that has none.
 * @typedef {{shards: number, dealt: number}} Shards
 * @param {Partial<Shards>} asked by flags @param {Shards | null} kept in the data folder
 * @param {{processors: number, slotsMove: boolean}} host @returns {Shards}
 */
export function demoShards(asked, kept, { processors, slotsMove }) {
  const shards = asked.shards ?? kept?.shards ?? SHARDS;
  const fresh = asked.shards === undefined && slotsMove && processors <= FEW_PROCESSORS ? 1 : shards;
  const dealt = asked.dealt ?? kept?.dealt ?? fresh;
  if (dealt > shards) throw new Problem(`--dealt-shards: slots cannot be dealt among ${dealt} of ${shards} shards.`);
  return { shards, dealt };
}
