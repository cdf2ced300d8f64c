// Random commands for a differential test: all that data types and records of Claret answer to Redis clients, over few keys and few values, so that
// they meet each other's results, wrong types, wrong numbers and each other's options. The same seed gives the same commands.
//
// Not made is what differs by design: scores with a fraction or beyond 2^53, BYLEX, PFCOUNT of several keys, PFADD without elements, cursors
// other than 0, empty keys, strings that are not UTF-8 or longer than 64 KiB, and a HyperLogLog read as a string.

import { Chance } from '../../kit/random.ts';
import { HASHES, LISTS, RECORDS, SETS, SORTED_SETS, STRINGS } from './makers.ts';
import { Dice } from './dice.ts';
import type { Maker, Step } from './step.ts';

const MAKERS: readonly (readonly [string, Maker])[] = [STRINGS, SETS, HASHES, SORTED_SETS, LISTS, RECORDS].flatMap((some) =>
  Object.entries(some),
);

/** In capitals. */
export const COMMAND_NAMES: readonly string[] = MAKERS.map(([name]) => name);

/** At least that many steps. */
export function randomSteps(seed: number, count: number): Step[] {
  const chance = new Chance(seed);
  const dice = new Dice(chance);
  const steps: Step[] = [];
  while (steps.length < count) {
    const [name, { make, comparison = 'bytes', exactly, scatters }] = chance.pick(MAKERS);
    const words = [dice.inAnyCase(name), ...make(dice)];
    const key = words[1];
    if (exactly === undefined && chance.happens(0.03)) bend(words, dice, chance);
    steps.push({ words, comparison });
    if (scatters && key !== undefined) steps.push({ words: ['DEL', key], comparison: 'bytes' });
  }
  return steps;
}

/** Another number of arguments. */
function bend(words: string[], dice: Dice, chance: Chance): void {
  if (words.length > 1 && chance.happens(0.5)) words.pop();
  else words.push(dice.value() || 'more'); // a key cannot be empty
}
