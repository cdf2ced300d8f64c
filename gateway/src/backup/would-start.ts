// Whether a shard can start on what a log would keep: asked of a core that nobody is connected to, before anything is changed.
import { Shard } from '@claret/core';
import type { KeptPiece } from '../log/log.ts';

/** No session ever reaches it: what concerns them does not matter. */
const UNUSED = {
  sessionLeaseMs: 5000,
  phaseCapMs: 5,
  woundDelayMs: 5,
  woundGraceMs: 5,
  idleMs: 5000,
  frameBytesMax: 1 << 20,
  outputBytesMax: 1 << 20,
};

/** Why not; null: it can. Throws what `kept` throws. */
export async function whyNotStart(
  { shard, shards }: { shard: number; shards: number },
  kept: AsyncIterable<KeptPiece>,
): Promise<string | null> {
  const core = new Shard({ shard, shards, incarnation: Number.MAX_SAFE_INTEGER, logged: true, ...UNUSED });
  let why: string | null = null;
  const judged = (step: () => void): void => {
    try {
      if (why === null) step();
    } catch (error) {
      why = (error as Error).message;
    }
  };
  for await (const piece of kept)
    judged(() => ('checkpoint' in piece ? core.restoreCheckpoint(piece.checkpoint) : core.restore(piece.entries)));
  judged(() => core.restored(Date.now(), performance.now()));
  return why;
}
