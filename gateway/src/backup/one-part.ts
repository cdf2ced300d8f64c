// The own shard takes part in one backup at a time, whichever gateway makes it.
import { ERRORS, GatewayError } from '../errors.ts';
import { ShardPart } from './shard-part.ts';
import type { CutShard, Part } from './shard-part.ts';

export class OnePart {
  private readonly shard: CutShard | null;
  private taken: ShardPart | null = null;
  private closed = false;

  /** null: durability none */
  constructor(shard: CutShard | null) {
    this.shard = shard;
  }

  /** Throws no_log, backup_running, closing. */
  open(): Part {
    if (this.closed) throw new GatewayError('closing', ERRORS.closing.meaning);
    if (this.shard === null) throw new GatewayError('no_log', ERRORS.no_log.meaning);
    if (this.taken !== null) throw new GatewayError('backup_running', `Shard ${this.shard.shard} takes part in a backup already.`);
    const part = new ShardPart(this.shard, () => void (this.taken = null));
    this.taken = part;
    return part;
  }

  /** The one that is under way is given up, and no other begun: it would hold off the last checkpoint. */
  close(): void {
    this.closed = true;
    this.taken?.close();
  }
}
