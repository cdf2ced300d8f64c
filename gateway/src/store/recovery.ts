// A shard's start: what its log has kept is read and fed to the core, in pieces, so that the process answers meanwhile.
import type { KeptPiece } from '../log/log.ts';
import type { ShardHost } from './shard-host.ts';

export interface RecoveryProgress {
  /** of the checkpoint */
  recordsLoaded: number;
  entriesReplayed: number;
  bytesRead: number;
  bytesTotal: number;
  milliseconds: number;
}

/** The event loop gets a turn after so long. */
const SLICE_MS = 10;

export class Recovery {
  readonly progress: RecoveryProgress;
  private readonly onProgress: (progress: Readonly<RecoveryProgress>) => void;
  private readonly beganAtMs: number;

  /** `beganAtMs`: when the start began, before what is kept was looked through */
  constructor(beganAtMs: number, bytesTotal: number, onProgress: (progress: Readonly<RecoveryProgress>) => void) {
    this.progress = { recordsLoaded: 0, entriesReplayed: 0, bytesRead: 0, bytesTotal, milliseconds: 0 };
    this.beganAtMs = beganAtMs;
    this.onProgress = onProgress;
  }

  /** Throws where the log is damaged or another shard's; the host is then of no use. */
  async run(host: Pick<ShardHost, 'restoreCheckpoint' | 'restore' | 'restored'>, kept: AsyncIterable<KeptPiece>): Promise<void> {
    let sliceBeganMs = performance.now();
    for await (const piece of kept) {
      this.feed(host, piece);
      if (performance.now() - sliceBeganMs < SLICE_MS) continue;
      this.tell();
      await new Promise((resolve) => setImmediate(resolve));
      sliceBeganMs = performance.now();
    }
    host.restored();
    this.tell();
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

  private tell(): void {
    this.progress.milliseconds = performance.now() - this.beganAtMs;
    this.onProgress(this.progress);
  }
}
