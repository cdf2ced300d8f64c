// The rawmix spike (the paper, section 6.1): transactions of four operations, `size` or `add`, on its own sets, drawn from a Zipf
// distribution. The sets belong to no site and are emptied at the end.

import type { Claret, Description } from '@claret/client';
import { readAll } from '../../kit/checking.ts';
import { Rawmix, SETS } from '../../workloads/rawmix.ts';
import { writeAll } from '../../workloads/writing.ts';
import { commitStateOf } from './commit-state.ts';
import type { Spike, SpikeOptions } from './spike.ts';

const NAME = 'spike:rawmix';
/** Limit of one read of a Set. */
const MEMBERS_PAGE = 1_000;

export async function rawmixSpike(claret: Claret, { alpha, update, random }: SpikeOptions): Promise<Spike> {
  const keys = Array.from({ length: SETS }, (_, rank) => `${NAME}:${rank}`);
  // Removes the data of an earlier spike that was killed.
  await empty(claret, keys);
  const rawmix = new Rawmix({ alpha, update, name: NAME }, random);
  return {
    page: null,
    run: (loader) => runOne(rawmix, loader),
    check: async () => ({ what: 'adds', ...(await rawmix.compared(claret)) }),
    clearUp: () =>
      empty(
        claret,
        keys.filter((_, rank) => rawmix.added[rank]! > 0),
      ),
  };
}

async function runOne(rawmix: Rawmix, loader: Claret): Promise<void> {
  const drawn = rawmix.draw(loader);
  try {
    await rawmix.run(loader, drawn, 'interactive');
  } catch (error) {
    const state = commitStateOf(error);
    if (state === 'applied') rawmix.committed(drawn);
    if (state === 'unknown') rawmix.doubted(drawn);
    throw error;
  }
}

async function empty(claret: Claret, keys: readonly string[]): Promise<void> {
  let left = keys;
  while (left.length > 0) {
    const pages = await readAll(
      claret,
      left.map((key) => claret.on.set(key).members(MEMBERS_PAGE)),
    );
    await writeAll(claret, removals(claret, left, pages));
    left = left.filter((_, i) => pages[i]!.length === MEMBERS_PAGE);
  }
}

function* removals({ on }: Claret, keys: readonly string[], members: readonly (readonly string[])[]): Generator<Description<unknown>> {
  for (const [i, key] of keys.entries()) for (const member of members[i]!) yield on.set(key).remove(member);
}
