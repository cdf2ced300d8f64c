// StoredLog: what the servers have stored of a shard's log, as it is stored. It keeps the entries for the judge, and verifies that the messages
// make up one log at any time, whoever wrote them.
import { LogDamaged } from '@claret/gateway/log/log.ts';
import type { StoredMessage } from '@claret/gateway/log/jetstream/chain.ts';
import { EntriesReader } from '@claret/gateway/log/jetstream/entries-reader.ts';
import { NO_TAIL } from '@claret/gateway/log/jetstream/frames.ts';
import type { StreamNames } from '@claret/gateway/log/jetstream/names.ts';

export class StoredLog {
  readonly #reader: EntriesReader;
  readonly #onDamaged: (why: string) => void;
  #isDamaged = false;
  /** since `take` */
  #entries: Uint8Array[] = [];

  constructor(names: StreamNames['log'], own: { shard: number; shards: number }, onDamaged: (why: string) => void) {
    this.#reader = new EntriesReader({ names, own, from: NO_TAIL, position: 0, upTo: Infinity });
    this.#onDamaged = onDamaged;
  }

  store(message: StoredMessage): void {
    if (this.#isDamaged) return;
    try {
      const piece = this.#reader.take(message);
      if (piece !== undefined) this.#entries.push(piece.entries);
    } catch (error) {
      if (!(error instanceof LogDamaged)) throw error;
      this.#isDamaged = true;
      this.#onDamaged(error.message);
    }
  }

  /** The entries stored since the last call, in order. */
  take(): Uint8Array[] {
    return this.#entries.splice(0);
  }
}
