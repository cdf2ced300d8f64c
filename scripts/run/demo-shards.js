// How many shards the demo has, and among how many of them its slots are dealt, where no flag says so.
import { Problem } from './problem.js';

const SHARDS = 2;
/** With so few processors, transactions over shards cost much more than those on one (docs/benchmarks.md, "What the sites hold"). */
const FEW_PROCESSORS = 2;

/**
 * `dealt`: the first of them, among which the slots were dealt at first. That never changes, so what is kept decides.
 * @typedef {{shards: number, dealt: number}} Shards
 * @param {Partial<Shards>} asked by flags @param {Shards | null} kept in the data folder @param {number} processors @returns {Shards}
 */
export function demoShards(asked, kept, processors) {
  const shards = asked.shards ?? kept?.shards ?? SHARDS;
  const fresh = asked.shards === undefined && processors <= FEW_PROCESSORS ? 1 : shards;
  const dealt = asked.dealt ?? kept?.dealt ?? fresh;
  if (dealt > shards) throw new Problem(`--dealt-shards: slots cannot be dealt among ${dealt} of ${shards} shards.`);
  return { shards, dealt };
}
