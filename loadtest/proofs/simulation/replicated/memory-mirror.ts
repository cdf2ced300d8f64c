// MemoryMirror: the copy of a checkpoint that a gateway has on its disk, in memory. The gateway promises nothing of it.
import type { Mirror, MirrorSnapshot } from '@claret/gateway/log/jetstream/mirror.ts';
import { KeptPairs } from '../kept-pairs.ts';

export class MemoryMirror implements Mirror {
  readonly #pairs = new KeptPairs();
  readonly #pieceBytes: number;

  constructor(pieceBytes: number) {
    this.#pieceBytes = pieceBytes;
  }

  apply(pairs: Uint8Array): Promise<void> {
    this.#pairs.apply(pairs);
    return Promise.resolve();
  }

  snapshot(): MirrorSnapshot {
    const pieces = this.#pairs.pieces(this.#pieceBytes);
    return { read: () => read(pieces), close: () => Promise.resolve() };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

async function* read(pieces: readonly Uint8Array[]): ReturnType<MirrorSnapshot['read']> {
  for (const checkpoint of pieces) yield await Promise.resolve({ checkpoint, records: 0 });
}
