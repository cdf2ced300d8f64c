// Copies a log's contents into an empty log: those of a backup, or the valid ones of a damaged log.
import type { KeptPiece, Log } from './log.ts';

const NOTHING = new Uint8Array(0);

/**
 * `position`: the checkpoint's. Returns the position of the last entry. If `kept` throws, everything before the error has been written, and
 * the error is thrown.
 */
export async function fillLog(log: Log, kept: AsyncIterable<KeptPiece>, position: number): Promise<number> {
  let last = position;
  let sealed = position === 0;
  const seal = async (): Promise<void> => {
    if (!sealed) await new Promise<void>((resolve) => log.seal(NOTHING, position, resolve));
    sealed = true;
  };
  for await (const piece of kept) {
    if ('checkpoint' in piece) {
      await new Promise<void>((resolve) => log.keep(piece.checkpoint, resolve));
    } else {
      await seal();
      last += piece.count;
      await new Promise<unknown>((resolve) => log.append(piece.entries, last, resolve));
    }
  }
  await seal();
  return last;
}
