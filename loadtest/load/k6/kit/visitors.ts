// The visitor of an arrival: one of the storm's people, with random numbers that depend on the seed, the crowd and the arrival's
// number alone.

import exec from 'k6/execution';
import type { StormPerson } from '../storm.ts';
import { storm } from './data.ts';
import { pick, streams } from '../../../kit/random.ts';

/** Each call is the visit of the arrival that runs. */
export function visitors<Visit>(
  crowd: string,
  people: readonly StormPerson[],
  begin: (random: () => number, person: StormPerson) => Visit,
): () => Visit {
  const stream = streams(storm.seed, crowd);
  return () => {
    const random = stream(exec.scenario.iterationInTest);
    return begin(random, pick(random, people));
  };
}
