// Restores a shard at its start: reads the log's contents and feeds them to the core in pieces, so that the process answers probes
// meanwhile.
import type { KeptPiece } from '../log/log.ts';
import type { ShardHost } from './shard-host.ts';

export interface RecoveryProgress {
  /** records loaded from the checkpoint */
  recordsLoaded: number;
  entriesReplayed: number;
  bytesRead: number;
  bytesTotal: number;
  milliseconds: number;
}

/** the event loop gets a turn after this time */
const SLICE_MS = 10;

export class Recovery {
  readonly progress: RecoveryProgress;
  private readonly onProgress: (progress: Readonly<RecoveryProgress>) => void;
  private readonly beganAtMs: number;

  /** `beganAtMs`: monotonic time of the begin of the start, before the log was checked */
  constructor(beganAtMs: number, bytesTotal: number, onProgress: (progress: Readonly<RecoveryProgress>) => void) {
    this.progress = { recordsLoaded: 0, entriesReplayed: 0, bytesRead: 0, bytesTotal, milliseconds: 0 };
    this.beganAtMs = beganAtMs;
    this.onProgress = onProgress;
  }

  /** Throws if the log is damaged or belongs to another shard; the host cannot be used then. */
  async run(host: Pick<ShardHost, 'restoreCheckpoint' | 'restore' | 'restored'>, kept: AsyncIterable<KeptPiece>): Promise<void> {
    let sliceBeganMs = performance.now();
    for await (const piece of kept) {
      this.feed(host, piece);
      if (performance.now() - sliceBeganMs < SLICE_MS) continue;
      this.report();
      await new Promise((resolve) => setImmediate(resolve));
      sliceBeganMs = performance.now();
    }
    host.restored();
    this.report();
  }

  private feed(host: Pick<ShardHost, 'restoreCheckpoint' | 'restore'>, piece: KeptPiece): void {
    const { progress } = this;
    if ('checkpoint' in piece) {
      host.restoreCheckpoint(piece.checkpoint);
      progress.recordsLoaded += piece.records;
      progress.bytesRead += piece.checkpoint.length;
    } else {
      host.restore(piece.entries);
      progress.entriesReplayed += piece.count;
      progress.bytesRead += piece.entries.length;
    }
  }

  private report(): void {
    this.progress.milliseconds = performance.now() - this.beganAtMs;
    this.onProgress(this.progress);
  }
}
