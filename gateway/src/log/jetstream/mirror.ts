// Mirror: the pairs of the checkpoint stream, applied in order to a store on this machine's disk. A start reads them from it in the order
// of their keys, a backup as they are at one moment, and the log writes them again as a new base, all without holding them in memory. It
// promises nothing: each start makes it anew from the stream.
import { rm } from 'node:fs/promises';
import { makeFolder } from '../../store/safe-file.ts';
import type { KeptPiece } from '../log.ts';
import { readPairs } from '../read-kept.ts';
import type { KeptOptions } from '../read-kept.ts';
import { openStore } from '../store.ts';
import type { Store, StoreOperation } from '../store.ts';
import { addPairs } from '../write-operations.ts';

export type MirrorSnapshot = ReturnType<Store['snapshot']>;

export class Mirror {
  readonly #dir: string;
  readonly #own: KeptOptions['own'];
  readonly #store: Store;

  private constructor(dir: string, own: KeptOptions['own'], store: Store) {
    this.#dir = dir;
    this.#own = own;
    this.#store = store;
  }

  /** Empties the folder. */
  static async create(dir: string, own: KeptOptions['own']): Promise<Mirror> {
    await rm(dir, { recursive: true, force: true });
    makeFolder(dir);
    return new Mirror(dir, own, await openStore(dir));
  }

  /** REQUIRES: the earlier call has ended. */
  async apply(pairs: Uint8Array): Promise<void> {
    const operations: StoreOperation[] = [];
    await addPairs(pairs, this.#store, operations);
    await this.#store.batch(operations, { sync: false });
  }

  snapshot(): MirrorSnapshot {
    return this.#store.snapshot();
  }

  /** Puts, in the order of their keys. Closes the snapshot at the end. */
  async *read(snapshot: MirrorSnapshot): AsyncGenerator<Extract<KeptPiece, { checkpoint: Uint8Array }>> {
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
