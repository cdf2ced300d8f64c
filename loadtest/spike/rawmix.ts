// The rawmix spike (the paper, section 6.1): transactions of four operations, `size` or `add`, on sets of its own that are
// drawn from a zipfian distribution. No site has them; what is in them is taken away in the end.

import type { Claret, Description } from '@claret/client';
import { readAll } from '../workloads/checking.ts';
import { Rawmix, SETS } from '../workloads/rawmix.ts';
import { writeAll } from '../workloads/writing.ts';
import { commitStateOf } from './commit-state.ts';
import type { Spike, SpikeOptions } from './spike.ts';

const NAME = 'spike:rawmix';
/** What one read of a Set gives at most. */
const MEMBERS_PAGE = 1_000;
const SETS_AT_ONCE = 32;

export async function rawmixSpike(claret: Claret, { alpha, update, random }: SpikeOptions): Promise<Spike> {
  const keys = Array.from({ length: SETS }, (_, rank) => `${NAME}:${rank}`);
  const sizes = () => readAll(claret, keys.map((key) => claret.on.set(key).size()));
  // What a spike before this one left behind: it was killed.
  await empty(claret, keys, await sizes());
  const rawmix = new Rawmix({ alpha, update, name: NAME }, random);
  return {
    place: null,
    run: (crowd) => runOne(rawmix, crowd),
    mismatches: () => rawmix.mismatches(claret),
    clearUp: async () => empty(claret, keys, await sizes()),
  };
}

async function runOne(rawmix: Rawmix, crowd: Claret): Promise<void> {
  const drawn = rawmix.draw(crowd);
  try {
    await rawmix.run(crowd, drawn, 'interactive');
  } catch (error) {
    const state = commitStateOf(error);
    if (state === 'applied') rawmix.committed(drawn);
    if (state === 'unknown') rawmix.doubted(drawn);
    throw error;
  }
}

async function empty(claret: Claret, keys: readonly string[], sizes: readonly (number | bigint)[]): Promise<void> {
  const full = keys.filter((_, rank) => Number(sizes[rank]) > 0);
  const worker = async () => {
    for (let key = full.pop(); key !== undefined; key = full.pop()) await emptySet(claret, key);
  };
  await Promise.all(Array.from({ length: SETS_AT_ONCE }, worker));
}

async function emptySet(claret: Claret, key: string): Promise<void> {
  let members: readonly string[];
  let after: string | null = null;
  const { on } = claret;
  do {
    [members] = await claret.transact('ClearUp', [on.set(key).members(MEMBERS_PAGE, after)]) as [readonly string[]];
    after = members.at(-1) ?? null;
    const removals: Description<unknown>[] = members.map((member) => on.set(key).remove(member));
    await writeAll(claret, removals);
  } while (members.length === MEMBERS_PAGE);
}
