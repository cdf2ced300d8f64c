// Writing: how a workload's data comes into the store before it begins: straight into the records, many in one message.

import type { Description } from '@claret/client';
import type { Records } from '../kit/checking.ts';

const WRITES_AT_ONCE = 2_048;
const WRITERS = 8;
/** Nobody measures it, and the machine may be busy. */
const TIMEOUT_MS = 60_000;

/** Takes the writes as they come, so that they need not all be there at once. */
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
