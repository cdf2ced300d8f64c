// For tests: a real cluster of two shards in this process, with shortcuts for creating people and auctions.
import { inProcessCluster, type ClusterOptions, type InProcessCluster } from '@claret/client/testing';
import type { Claret } from '@claret/client';

import { bid, newBidId } from '../actions/bid.ts';
import { buyNow } from '../actions/buy-now.ts';
import { newUser } from '../actions/new-user.ts';
import { openAuction } from '../actions/open-auction.ts';
import type { UserRef } from '../api.ts';

export const DAY_MS = 24 * 60 * 60 * 1_000;

export type World = {
  cluster: InProcessCluster;
  claret: Claret;
  person: (nickname: string) => Promise<UserRef>;
  auction: (seller: UserRef, options?: AuctionOptions) => Promise<string>;
  bids: (item_id: string, bidder: UserRef, amount_cents: number, max_cents?: number) => ReturnType<typeof bid>;
  buys: (item_id: string, buyer: UserRef, quantity?: number) => ReturnType<typeof buyNow>;
  stop: () => Promise<void>;
};

export type AuctionOptions = {
  title?: string;
  category_id?: string;
  region_id?: string;
  start_price_cents?: number;
  quantity?: number;
  reserve_price_cents?: number;
  buy_now_price_cents?: number;
  opened_at_ms?: number;
  closes_at_ms?: number;
};

export async function startWorld(clusterOptions: ClusterOptions = {}): Promise<World> {
  const cluster = await inProcessCluster({ shards: 2, ...clusterOptions });
  const claret = await cluster.connect({ name: 'test' });
  let last_ms = 0;
  // No two bids have the same millisecond, since of equal maxima the earlier leads.
  const next_ms = (): number => (last_ms = Math.max(last_ms + 1, Date.now()));
  return {
    cluster,
    claret,
    async person(nickname) {
      const created = await newUser(claret, { nickname, region_id: 'ny-albany', credentials: null, created_at_ms: Date.now() });
      if (created.refused !== null) throw new Error(created.refused);
      return { id: created.user_id, nickname };
    },
    async auction(seller, options = {}) {
      const opened = await openAuction(claret, {
        title: 'Green Lamp',
        description: 'It shines.',
        category_id: 'home',
        region_id: 'ny-albany',
        seller,
        start_price_cents: 1_00,
        opened_at_ms: Date.now(),
        closes_at_ms: Date.now() + DAY_MS,
        ...options,
      });
      return opened.item_id;
    },
    bids: (item_id, bidder, amount_cents, max_cents = amount_cents) =>
      bid(claret, { item_id, bidder, amount_cents, max_cents, placed_at_ms: next_ms(), bid_id: newBidId() }),
    buys: (item_id, buyer, quantity = 1) =>
      buyNow(claret, { item_id, buyer, quantity, purchase_id: crypto.randomUUID(), bought_at_ms: Date.now() }),
    stop: () => cluster.stop(),
  };
}
