// Mirror: the pairs of the checkpoint stream, applied in order. A start reads them from it in the order of their keys, a backup as they are
// at one moment, and the log writes them again as a new base. It promises nothing: each start makes it anew from the stream.
//
// `StoredMirror` has them in a store on this machine's disk, so that they are never all in memory.
import { rm } from 'node:fs/promises';
import { makeFolder } from '../../store/safe-file.ts';
import type { KeptPiece } from '../log.ts';
import { readPairs } from '../read-kept.ts';
import type { KeptOptions } from '../read-kept.ts';
import { openStore } from '../store.ts';
import type { Store, StoreOperation } from '../store.ts';
import { addPairs } from '../write-operations.ts';

/** Here implemented once, since the simulation of a cluster has another. */
export interface Mirror {
  /** REQUIRES: the earlier call has ended. */
  apply(pairs: Uint8Array): Promise<void>;
  snapshot(): MirrorSnapshot;
  close(): Promise<void>;
}

/** The pairs as they are at one moment. */
export interface MirrorSnapshot {
  /** Puts, in the order of their keys. Closes the snapshot at the end. */
  read(): AsyncGenerator<Extract<KeptPiece, { checkpoint: Uint8Array }>>;
  close(): Promise<void>;
}

export class StoredMirror implements Mirror {
  readonly #dir: string;
  readonly #own: KeptOptions['own'];
  readonly #store: Store;

  private constructor(dir: string, own: KeptOptions['own'], store: Store) {
    this.#dir = dir;
    this.#own = own;
    this.#store = store;
  }

  /** Empties the folder. */
  static async create(dir: string, own: KeptOptions['own']): Promise<StoredMirror> {
    await rm(dir, { recursive: true, force: true });
    makeFolder(dir);
    return new StoredMirror(dir, own, await openStore(dir));
  }

  async apply(pairs: Uint8Array): Promise<void> {
    const operations: StoreOperation[] = [];
    await addPairs(pairs, this.#store, operations);
    await this.#store.batch(operations, { sync: false });
  }

  snapshot(): MirrorSnapshot {
    const snapshot = this.#store.snapshot();
    return { read: () => this.#read(snapshot), close: () => snapshot.close() };
  }

  async *#read(snapshot: ReturnType<Store['snapshot']>): ReturnType<MirrorSnapshot['read']> {
    try {
      for await (const piece of readPairs(this.#store, { dir: this.#dir, own: this.#own, snapshot }))
        if ('checkpoint' in piece) yield piece;
    } finally {
      await snapshot.close();
    }
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}
