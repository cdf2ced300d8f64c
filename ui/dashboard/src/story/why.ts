// Why transactions meet as they do, in one line: two operations, and whether they commute, as the cluster's catalogue rules.
import type { Conditions } from '@claret/client/telemetry';
import type { DataType, Ruling } from '../types/catalogue.ts';
import { ruleOfPair } from '../views/conflicts/commuteWords.ts';
import type { Meeting, Two } from './meeting.ts';

export interface Why {
  operations: Two;
  words: string;
  /** the name of their type, whose table says more */
  type: string;
}

/**
 * The reason for the two operations that block each other. If none do: for the two that hold the record together. Null: neither were seen, or the
 * catalogue has no rule for them.
 */
export function whyOf({ inTheWay, together }: Meeting, conditions: Conditions, types: readonly DataType[]): Why | null {
  if (inTheWay) return why(inTheWay, types, conditions.locks === 'rw' ? UNDER_RW : APART);
  return together && why(together, types, conditions.combining === 'off' ? SHARED : IN_ONE_GO);
}

function why(operations: Two, types: readonly DataType[], words: Words): Why | null {
  const rule = ruleOfPair(types, ...operations);
  return rule && { operations, words: words[rule.ruling](rule.when), type: rule.type };
}

/** What the bounds of a sum are, the type's table says. */
type Words = Record<Ruling, (when: string) => string>;

const ONE_AT_A_TIME = 'reader/writer locks let one in at a time';

const UNDER_RW: Words = {
  always: () => `their order does not matter, yet ${ONE_AT_A_TIME}`,
  depends: (when) => `their order does not matter if ${when}, yet ${ONE_AT_A_TIME}`,
  summed: () => `their order does not matter within bounds, yet ${ONE_AT_A_TIME}`,
  never: () => 'their order matters, so one waits for the other',
};
const SHARED: Words = {
  always: () => 'their order does not matter, so locks let them share',
  depends: (when) => `their order does not matter if ${when}, and then locks let them share`,
  summed: () => 'their order does not matter within bounds, so locks let them share',
  never: () => 'their order matters, and one waits for the other',
};
const IN_ONE_GO: Words = {
  always: () => 'their order does not matter; here they run in one go',
  depends: (when) => `their order does not matter if ${when}; here they run in one go`,
  summed: () => 'their order does not matter within bounds; here they run in one go',
  never: () => 'their order matters; here they run in one go',
};
const APART: Words = {
  always: () => 'their order does not matter, so locks let them share',
  depends: (when) => `they share if ${when}`,
  summed: () => 'their order does not matter within bounds, so locks let them share',
  never: () => 'their order matters, so one waits for the other',
};
