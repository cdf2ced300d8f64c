// Writing a data set: straight into the records, many operations in one message to one shard.
//
// What is written may be endless: it is asked for as it is sent. Operations of one shard are sent in the order in which
// they came, but several messages are under way at once: what must come later is written by a later call.
import type { Claret, Description } from '@claret/client';

const OPERATIONS_AT_ONCE = 2_048;
/** Messages under way, for each shard. */
const PAGES_AT_ONCE = 3;
/** Nobody waits for a page of it, and the machine may be busy. */
const TIMEOUT_MS = 60_000;

export async function writeAll(
  claret: Claret,
  writes: Iterable<Description<unknown>>,
  onWritten: (operations: number) => void = () => {},
): Promise<void> {
  const pages = pagesOf(claret, writes);
  const writer = async (): Promise<void> => {
    for (const page of pages) {
      await claret.transact('Load', page, { timeoutMs: TIMEOUT_MS });
      onWritten(page.length);
    }
  };
  const writers = PAGES_AT_ONCE * claret.topology.shards.length;
  await Promise.all(Array.from({ length: writers }, writer));
}

/** Each for one shard. */
function* pagesOf({ topology }: Claret, writes: Iterable<Description<unknown>>): Generator<Description<unknown>[]> {
  const open = new Map<number, Description<unknown>[]>();
  for (const write of writes) {
    const shard = topology.shardOf(write.key);
    const page = open.get(shard);
    if (page === undefined) {
      open.set(shard, [write]);
      continue;
    }
    page.push(write);
    if (page.length < OPERATIONS_AT_ONCE) continue;
    open.delete(shard);
    yield page;
  }
  yield* open.values();
}
