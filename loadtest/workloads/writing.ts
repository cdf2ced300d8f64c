// Loads a workload's data into the store before the workload begins: directly into the records, many operations per message.

import type { Description } from '@claret/client';
import type { Records } from '../kit/checking.ts';

const WRITES_AT_ONCE = 2_048;
const WRITERS = 8;
/** Generous, because loading is not measured and the machine may be busy. */
const TIMEOUT_MS = 60_000;

/** Consumes the writes lazily, so that they need not all exist at once. */
export async function writeAll(claret: Records, writes: Iterable<Description<unknown>>): Promise<void> {
  const pages = pagesOf(writes);
  const writer = async () => {
    for (const page of pages) await claret.transact('Load', page, { timeoutMs: TIMEOUT_MS });
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
}

function* pagesOf(writes: Iterable<Description<unknown>>): Generator<Description<unknown>[]> {
  let page: Description<unknown>[] = [];
  for (const write of writes) {
    page.push(write);
    if (page.length < WRITES_AT_ONCE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
