// Records for which a checkpoint takes several slices, changed in the meantime: many members at once, in two records of different
// types that must agree (`uneven`).

import type { Claret } from '@claret/client';
import { readAtRest } from '../at-rest.ts';
import type { Chance } from '../../../kit/random.ts';

const MEMBERS = 2_000;
const AT_ONCE_MAX = 300;
/** A few of these fill a slice. */
const TEXT = 'x'.repeat(60);

const DICT = 'large:dict';
const SET = 'large:set';

/** A member is in both records, or in none. */
export function runLarge(claret: Claret, chance: Chance): Promise<unknown> {
  const count = 1 + chance.below(AT_ONCE_MAX / 2);
  const first = chance.below(MEMBERS);
  const members = Array.from({ length: count }, (_, i) => `m${(first + i) % MEMBERS}`);
  if (chance.happens(0.25))
    return claret.transact('LargeRemove', [
      claret.on.dict(DICT).remove(...members),
      ...members.map((member) => claret.on.set(SET).remove(member)),
    ]);
  const value = `${chance.below(1_000)} ${TEXT}`;
  return claret.transact('LargeAdd', [
    claret.on.dict(DICT).set(Object.fromEntries(members.map((member) => [member, value]))),
    ...members.map((member) => claret.on.set(SET).add(member)),
  ]);
}

/** An invariant of both records, independent of any history. */
export async function uneven(claret: Claret): Promise<string[]> {
  const [fields, size] = await readAtRest(claret, 'Compare', [claret.on.dict(DICT).all(), claret.on.set(SET).size()]);
  const count = Object.keys(fields).length;
  return count === Number(size)
    ? []
    : [`half a transaction: of members that are in both records ${count} are in the one, ${size} in the other`];
}
