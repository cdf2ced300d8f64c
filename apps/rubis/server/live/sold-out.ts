// Closes auctions that have nothing left to sell.
//
// A purchase never reads the stock (actions/buy-now.ts), so it does not know that it took the last piece. Code on this server that sees an
// open auction with nothing left reports it here: the live view, a page, a refused purchase. If no server sees it, the closer does at the
// auction's end.
import type { Claret } from '@claret/client';

import { closeAuction } from '../actions/close-auction.ts';
import { key } from '../model.ts';

// after an attempt an auction is left alone for this time: a report may be older than the attempt, and a failed attempt is repeated
const QUIET_MS = 1_000;

export class SoldOut {
  readonly #claret: Claret;
  readonly #onError: (error: unknown, item_id: string) => void;
  readonly #closing = new Set<string>();
  #stopped = false;

  constructor(claret: Claret, onError: (error: unknown, item_id: string) => void) {
    this.#claret = claret;
    this.#onError = onError;
  }

  seen(item_id: string): void {
    if (this.#closing.has(item_id) || this.#stopped) return;
    this.#closing.add(item_id);
    void this.#close(item_id);
  }

  close(): void {
    this.#stopped = true;
  }

  async #close(item_id: string): Promise<void> {
    let done = false;
    try {
      await closeAuction(this.#claret, { item_id, now_ms: this.#claret.clock.nowMs(key.item_info(item_id)) });
      done = true;
    } catch (error) {
      if (!this.#stopped) this.#onError(error, item_id);
    }
    setTimeout(() => {
      this.#closing.delete(item_id);
      if (!done) this.seen(item_id);
    }, QUIET_MS).unref();
  }
}
