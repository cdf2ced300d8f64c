// For tests of what comes to a record that somebody else holds.

const LOOK_MS = 1;

interface WaitedFor {
  counters(): { waiting: number };
}

/** Resolves once so many requests wait for records of these shards. */
export async function untilWaiting(shards: readonly WaitedFor[], count = 1): Promise<void> {
  const waiting = () => shards.reduce((sum, shard) => sum + shard.counters().waiting, 0);
  while (waiting() < count) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}
