// Commands of Redis clients, and transactions of theirs, with keys on several shards: each is run as one interactive transaction by the gateway's
// own client. The core knows the commands: it says step by step which operations are to be executed, and makes the reply
// (server-core/src/door/spread.h).
import { ClaretError } from '@claret/client';
import type { Claret } from '@claret/client';
import { describeNamed } from '../transaction/operations.ts';
import type { Catalogue } from '../transaction/catalogue.ts';
import type { SpreadingHost } from '../store/spreading-host.ts';

const LABEL = '(redis)';

/** The client has left, or the commands turned out to be none that can be run so. */
class CalledOff extends Error {}

/** Runs what the host wants from now on. */
export function runSpreads(spreading: SpreadingHost, claret: Claret, catalogue: Catalogue): void {
  spreading.onWanted = (number) => void run(spreading, number, claret, catalogue);
}

async function run(spreading: SpreadingHost, number: number, claret: Claret, catalogue: Catalogue): Promise<void> {
  try {
    await claret.transaction(LABEL, async (tx) => {
      spreading.restart(number);
      let wanted = spreading.step(number);
      while (wanted === undefined || wanted.length > 0) {
        if (wanted === undefined) throw new CalledOff();
        const results: unknown[] = await Promise.all(wanted.map((operation) => tx.perform(describeNamed(catalogue, operation))));
        wanted = spreading.step(
          number,
          results.map((result) => result ?? null),
        );
      }
    });
    spreading.end(number, '', false);
  } catch (error) {
    const isOpen = error instanceof ClaretError && error.commitState !== 'none';
    spreading.end(number, errorOf(error), isOpen);
  }
}

/** In the words of Redis, where it has some. */
function errorOf(error: unknown): string {
  if (!(error instanceof Error)) return `ERR ${String(error)}`;
  const [code, retryable, cause] = error instanceof ClaretError ? [error.code, error.retryable, error.cause] : ['', false, ''];
  if (code === 'wrong_type' && !retryable) return 'WRONGTYPE Operation against a key holding the wrong kind of value';
  if (code === 'not_an_integer') return 'ERR value is not an integer or out of range';
  if (code === 'out_of_range') return 'ERR increment or decrement would overflow';
  // Trying again at once is of no use.
  if (cause === 'disk_full' || cause === 'log_unavailable') return `MISCONF ${error.message}`;
  return `${retryable || code === 'gave_up' ? 'TRYAGAIN' : 'ERR'} ${error.message}`;
}
