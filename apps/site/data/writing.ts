// Writes a data set straight into the records, with many operations in one message to one shard.
//
// The writes may be endless: they are requested as they are sent. Operations of one shard are sent in order, but several messages are in
// flight at once: a write that depends on an earlier one belongs into a later call.
import type { Claret, Description } from '@claret/client';

const OPERATIONS_AT_ONCE = 2_048;
/** messages in flight per shard */
const PAGES_AT_ONCE = 3;
/** generous, since no user waits for a message and the machine may be busy */
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

/** Groups the operations into messages of one shard each. */
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
