// The visitor of an arrival: one of the storm's people, with random numbers that depend only on the seed, the crowd and the number
// of the arrival.

import exec from 'k6/execution';
import type { StormPerson } from '../storm.ts';
import { storm } from './data.ts';
import { pick, streams } from '../../../kit/random.ts';

/** Each call creates the visitor of the current arrival. */
export function visitors<Visitor>(
  crowd: string,
  people: readonly StormPerson[],
  begin: (random: () => number, person: StormPerson) => Visitor,
): () => Visitor {
  const stream = streams(storm.seed, crowd);
  return () => {
    const random = stream(exec.scenario.iterationInTest);
    return begin(random, pick(random, people));
  };
}
