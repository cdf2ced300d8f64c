// Closes auctions at their end. Every app server runs a closer; each auction is closed once.
//
// It watches the front of `open:all`, the items that end soonest, so it holds no lock while it waits and learns of new auctions as they
// open. When one is over, each server waits for a random time: mostly the first server has closed it, and the watch has removed it from the
// list, before the others act. If two do collide, CloseAuction lets one win.
import type { Claret, Watch } from '@claret/client';

import { closeAuction, type Closed } from './actions/close-auction.ts';
import { key } from './model.ts';

// How many of the soonest ending are watched. More that end together become visible as soon as the first are closed.
const IN_SIGHT = 64;
const JITTER_MS_MAX = 200;
const RETRY_MS = 1_000;
// below 2^31 - 1, the limit of setTimeout
const SLEEP_MS_MAX = 24 * 60 * 60 * 1_000;

export type CloserEvents = {
  onClosed?: (item_id: string, result: Closed) => void;
  onError?: (item_id: string, error: unknown) => void;
};

type Entry = { item_id: string; closes_at_ms: number };

export class Closer {
  readonly #claret: Claret;
  readonly #events: CloserEvents;
  readonly #watch: Watch;
  readonly #underWay = new Map<string, Promise<void>>();
  #soonest: Entry[] = [];
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(claret: Claret, events: CloserEvents = {}) {
    this.#claret = claret;
    this.#events = events;
    this.#watch = claret.watch([claret.on.scoredSet(key.open_all).range(0, IN_SIGHT - 1)], (change) => {
      if (change.error !== undefined) return;
      this.#soonest = change.value.map(([item_id, score]) => ({ item_id, closes_at_ms: Number(score) }));
      this.#schedule();
    });
  }

  // Waits for closings in flight.
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#watch.close();
    if (this.#timer !== null) clearTimeout(this.#timer);
    await Promise.all(this.#underWay.values());
  }

  #schedule(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const next = this.#soonest.find((entry) => !this.#underWay.has(entry.item_id));
    if (next === undefined || this.#stopped) return;
    const jitter = Math.random() * JITTER_MS_MAX;
    const wait = Math.max(0, next.closes_at_ms - this.#nowMs(next.item_id)) + jitter;
    this.#timer = setTimeout(() => this.#closeOver(), Math.min(wait, SLEEP_MS_MAX));
  }

  #closeOver(): void {
    this.#timer = null;
    for (const { item_id, closes_at_ms } of this.#soonest) {
      const now_ms = this.#nowMs(item_id);
      if (closes_at_ms > now_ms || this.#underWay.has(item_id)) continue;
      this.#underWay.set(item_id, this.#close(item_id, now_ms));
    }
    this.#schedule();
  }

  #nowMs(item_id: string): number {
    return this.#claret.clock.nowMs(key.item_info(item_id));
  }

  // After any error, an item still on the list RETRY_MS later is tried again.
  async #close(item_id: string, now_ms: number): Promise<void> {
    try {
      const result = await closeAuction(this.#claret, { item_id, now_ms });
      if (result.refused === null) this.#events.onClosed?.(item_id, result);
    } catch (error) {
      this.#events.onError?.(item_id, error);
    }
    setTimeout(() => {
      this.#underWay.delete(item_id);
      this.#schedule();
    }, RETRY_MS).unref();
  }
}
