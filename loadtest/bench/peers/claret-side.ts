// Claret as a peer: the point's data, and a client for each cell.

import { ClaretError, connect, type Claret } from '@claret/client';
import { randomFrom } from '../../kit/random.ts';
import { Rawmix } from '../../workloads/rawmix.ts';
import { Rubis, type RubisMix } from '../../workloads/rubis.ts';
import type { Runner } from './cell.ts';
import type { CellQuestion, LoadQuestion } from './question.ts';

/** Transactions are limited by time, not by the number of attempts. */
const ATTEMPTS_MAX = 100_000;

/** Loads the point's data. Resolves to a factory of runners. */
export async function claretSide(
  addresses: string[],
  { point, seed, rubis_items }: LoadQuestion,
): Promise<(cell: CellQuestion) => Promise<Runner>> {
  let cells = 0;
  let rubis: Rubis | null = null;
  if (point.workload !== 'rawmix') {
    rubis = new Rubis({ mix: point.name as RubisMix, items: rubis_items }, randomFrom(seed));
    const claret = await connect({ addresses, name: 'bench' });
    await rubis.load(claret);
    await claret.close();
  }
  return async ({ way, poll_us }) => {
    const claret = await connect({ addresses, name: 'bench', pollMicroseconds: poll_us, attemptsMax: ATTEMPTS_MAX });
    if (point.workload !== 'rawmix')
      return runnerOf(
        claret,
        () => rubis!.run(claret),
        () => rubis!.mismatches(claret),
      );
    const { alpha, update } = point;
    const rawmix = new Rawmix({ alpha, update, name: `r${cells++}` }, randomFrom(seed));
    const sending = way === 'claret one-shot' ? 'one-shot' : 'interactive';
    return runnerOf(
      claret,
      () => rawmix.run(claret, rawmix.draw(claret), sending),
      () => rawmix.mismatches(claret),
    );
  };
}

function runnerOf(claret: Claret, run: () => Promise<void>, mismatches: () => Promise<string[]>): Runner {
  return {
    async run() {
      try {
        await run();
        return true;
      } catch (error) {
        // The error must say that nothing was applied: otherwise the check could not tell it from a lost update.
        if (!(error instanceof ClaretError) || error.commitState !== 'none') throw error;
        return false;
      }
    },
    aborts: () => claret.counters.retries,
    mismatches,
    close: () => claret.close(),
  };
}
