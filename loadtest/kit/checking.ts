// Bulk reads: the check of a workload reads many records in few messages.

import type { Claret, Description } from '@claret/client';

const READS_AT_ONCE = 1_024;

/** The part of a client that loading and checking need. */
export type Records = Pick<Claret, 'on' | 'transact'>;

/** The results, in order. The records must not change meanwhile: each page is a separate transaction. */
export async function readAll<Result>(claret: Records, reads: readonly Description<Result>[]): Promise<Result[]> {
  const results: Result[] = [];
  for (let first = 0; first < reads.length; first += READS_AT_ONCE) {
    for (const result of await claret.transact('Check', reads.slice(first, first + READS_AT_ONCE))) results.push(result as Result);
  }
  return results;
}
