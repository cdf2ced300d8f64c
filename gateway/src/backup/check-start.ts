// Checks whether a shard can start on given log contents: feeds them to a core without connections, before anything is changed on disk.
import { Shard } from '@claret/core';
import type { KeptPiece } from '../log/log.ts';

/** No session is ever connected, so the values do not matter. */
const UNUSED = {
  sessionLeaseMs: 5000,
  phaseCapMs: 5,
  woundDelayMs: 5,
  woundGraceMs: 5,
  idleMs: 5000,
  frameBytesMax: 1 << 20,
  outputBytesMax: 1 << 20,
};

/** Returns why the shard cannot start; null: it can. Throws what `kept` throws. */
export async function checkStart(
  { shard, shards }: { shard: number; shards: number },
  kept: AsyncIterable<KeptPiece>,
): Promise<string | null> {
  const core = new Shard({ shard, shards, incarnation: Number.MAX_SAFE_INTEGER, logged: true, ...UNUSED });
  let why: string | null = null;
  const attempt = (step: () => void): void => {
    try {
      if (why === null) step();
    } catch (error) {
      why = (error as Error).message;
    }
  };
  for await (const piece of kept)
    attempt(() => ('checkpoint' in piece ? core.restoreCheckpoint(piece.checkpoint) : core.restore(piece.entries)));
  attempt(() => core.restored(Date.now(), performance.now()));
  return why;
}
