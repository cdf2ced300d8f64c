// Access to the own shard's backup: the shard takes part in one backup at a time, regardless of which gateway coordinates it.
import { ERRORS, GatewayError } from '../errors.ts';
import { LocalShardBackup } from './shard-backup.ts';
import type { BackupSource, ShardBackup } from './shard-backup.ts';

export class OwnShardBackup {
  private readonly source: BackupSource | null;
  private running: LocalShardBackup | null = null;
  private closed = false;

  /** null: durability none */
  constructor(source: BackupSource | null) {
    this.source = source;
  }

  /** Throws no_log, backup_running, closing. */
  open(): ShardBackup {
    if (this.closed) throw new GatewayError('closing', ERRORS.closing.meaning);
    if (this.source === null) throw new GatewayError('no_log', ERRORS.no_log.meaning);
    if (this.running !== null) throw new GatewayError('backup_running', `Shard ${this.source.shard} takes part in a backup already.`);
    const opened = new LocalShardBackup(this.source, () => void (this.running = null));
    this.running = opened;
    return opened;
  }

  /** Gives up the running one and refuses others: a backup holds checkpoints off, and the shutdown takes a last one. */
  close(): void {
    this.closed = true;
    this.running?.close();
  }
}
