// The stores by name.
import { PostgresAuctionStore, type Isolation } from './postgres-store.ts';
import { RedisAuctionStore } from './redis-store.ts';
import type { AuctionStore } from './store.ts';

/** `isolation`: of bids in PostgreSQL */
export type StoreAddress = { store: 'redis' | 'postgres'; address: string; isolation: Isolation };

export function connectTo({ store, address, isolation }: StoreAddress): Promise<AuctionStore> {
  return store === 'redis' ? RedisAuctionStore.connect(address) : PostgresAuctionStore.connect(address, isolation);
}
