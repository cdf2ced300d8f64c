// The auctions in PostgreSQL, by pg: named (prepared) statements, one round trip each, on a pool of connections.
//
// A bid is a serializable transaction, which PostgreSQL aborts with 40001 when another bid on the item has committed since it began: waiting
// for the item's lock does not help, as the transaction's snapshot is older than the wait. It is repeated after a short random pause. In the
// isolation level "read committed" the same function waits for the lock, then reads what is there, and is not aborted: all that it depends
// on is behind that one lock, so bids are serializable there too. `isolation` chooses. Everything else is single statements, each of which
// has a snapshot of its own at either level.
//
// Messages are sent with the commit of a bid and arrive in the order of commits. PostgreSQL commits transactions that notify one after the
// other.
import { setTimeout as pause } from 'node:timers/promises';

import { Client, DatabaseError, Pool, types, type QueryResultRow } from 'pg';

import { LIMITS } from '../../apps/rubis/server/api.ts';
import { OPEN_AUCTION, READ_AUCTION, READ_MINE, READ_SELLING } from './postgres-schema.ts';
import {
  auctionOf,
  bidOf,
  Busy,
  changeOf,
  personOf,
  SESSION_TTL_S,
  type Account,
  type Auction,
  type AuctionStore,
  type BidOutcome,
  type BidRefusal,
  type Change,
  type MyAuction,
  type NewAuction,
  type NewBid,
  type NewUser,
  type Person,
  type Row,
  type User,
  type ViewedAuction,
} from './store.ts';

export type Isolation = 'serializable' | 'read committed';

/** pg's own default; of each of the two pools */
const CONNECTIONS_MAX = 10;
/** serialization_failure, deadlock_detected */
const REPEATED = new Set(['40001', '40P01']);
const PAUSE_MS_MAX = 16;
const BID_MS_MAX = 5_000;
/** Other texts are ids of nothing. */
const ID = /^[1-9][0-9]{0,14}$/;

// Ids and times are below 2^53.
types.setTypeParser(types.builtins.INT8, Number);

export class PostgresAuctionStore implements AuctionStore {
  readonly #pool: Pool;
  readonly #bidding: Pool;
  readonly #listening: Client;
  readonly #listeners = new Map<string, (change: Change) => void>();

  private constructor(url: string, isolation: Isolation) {
    this.#pool = new Pool({ connectionString: url, max: CONNECTIONS_MAX });
    const options = `-c default_transaction_isolation=${isolation.replace(' ', '\\ ')}`;
    this.#bidding = new Pool({ connectionString: url, max: CONNECTIONS_MAX, options });
    this.#listening = new Client({ connectionString: url });
    for (const pool of [this.#pool, this.#bidding]) pool.on('error', (error) => console.error(`postgres: ${error.message}`));
    this.#listening.on('notification', ({ payload = '' }) => {
      const end = payload.indexOf(':');
      this.#listeners.get(payload.slice(0, end))?.(changeOf(payload.slice(end + 1)));
    });
  }

  static async connect(url: string, isolation: Isolation): Promise<PostgresAuctionStore> {
    const store = new PostgresAuctionStore(url, isolation);
    // If this connection is lost, so is the process: no one would notice that it tells nothing any more.
    await store.#listening.connect();
    await store.#listening.query('LISTEN bids');
    return store;
  }

  async addUser({ nickname, region_id, credentials }: NewUser): Promise<string | null> {
    const [user] = await this.#query(
      'add_user',
      `INSERT INTO users (nickname, region_id, credentials, created_at_ms) VALUES ($1, $2, $3, $4)
       ON CONFLICT (lower(nickname)) DO NOTHING RETURNING id`,
      [nickname, region_id, credentials, Date.now()],
    );
    return user === undefined ? null : String(user['id']);
  }

  async account(nickname: string): Promise<Account | null> {
    const [user] = await this.#query('account', 'SELECT * FROM users WHERE lower(nickname) = lower($1)', [nickname]);
    return user === undefined ? null : { person: personOf(user), credentials: user['credentials'] as string | null };
  }

  async openSession(token_hash: string, person: Person): Promise<void> {
    const expires_at_ms = Date.now() + SESSION_TTL_S * 1_000;
    await this.#query('open_session', 'INSERT INTO sessions VALUES ($1, $2, $3)', [token_hash, person.id, expires_at_ms]);
  }

  async person(token_hash: string): Promise<Person | null> {
    const [user] = await this.#query(
      'person',
      `SELECT u.id, u.nickname, u.region_id FROM sessions JOIN users u ON u.id = user_id WHERE token_hash = $1 AND expires_at_ms > $2`,
      [token_hash, Date.now()],
    );
    return user === undefined ? null : personOf(user);
  }

  async user(user_id: string): Promise<{ user: User; selling: Auction[] } | null> {
    if (!ID.test(user_id)) return null;
    const [[user], selling] = await Promise.all([
      this.#query('user', 'SELECT id, nickname, region_id, created_at_ms FROM users WHERE id = $1', [user_id]),
      this.#query('selling', READ_SELLING, [user_id, Date.now(), LIMITS.page_size]),
    ]);
    if (user === undefined) return null;
    return { user: { ...personOf(user), created_at_ms: Number(user['created_at_ms']) }, selling: selling.map(auctionOf) };
  }

  async mine(user_id: string): Promise<MyAuction[]> {
    const rows = await this.#query('mine', READ_MINE, [user_id, Date.now(), LIMITS.inbox_auctions_max]);
    return rows.map((row) => {
      const my_bid = row['bid_id'] === null ? null : { id: String(row['bid_id']), outbid_at_ms: row['outbid_at_ms'] as number | null };
      return { ...auctionOf(row), my_bid };
    });
  }

  async openAuction(item: NewAuction): Promise<string> {
    const { title, description, category_id, region_id, seller, start_price_cents, opened_at_ms, closes_at_ms } = item;
    const values = [title, description, category_id, region_id, seller.id, start_price_cents, opened_at_ms, closes_at_ms];
    const [opened] = await this.#query('open_auction', OPEN_AUCTION, values);
    return String(opened!['id']);
  }

  async auction(item_id: string, bids_max: number, viewer_id: string | null): Promise<ViewedAuction | null> {
    if (!ID.test(item_id)) return null;
    type Read = Row & { bids: string[]; description: string; my_bid_cents: number | null };
    const [row] = await this.#query<Read>('auction', READ_AUCTION, [item_id, bids_max, viewer_id]);
    if (row === undefined) return null;
    return { ...auctionOf(row), description: row.description, bids: row.bids.map(bidOf), my_bid_cents: row.my_bid_cents };
  }

  async countView(item_id: string): Promise<number | null> {
    if (!ID.test(item_id)) return null;
    const [row] = await this.#query('view', 'UPDATE item_views SET views = views + 1 WHERE item_id = $1 RETURNING views', [item_id]);
    return row === undefined ? null : Number(row['views']);
  }

  async bid({ item_id, bidder, amount_cents, min_next_bid_cents, request }: NewBid): Promise<BidOutcome> {
    if (!ID.test(item_id)) return { refused: 'unknown_item', min_next_bid_cents: 0 };
    const values = [item_id, bidder.id, bidder.nickname, amount_cents, min_next_bid_cents, request];
    const query = { name: 'bid', text: 'SELECT * FROM place_bid($1, $2, $3, $4, $5, $6)', values };
    const until_ms = performance.now() + BID_MS_MAX;
    for (let bound_ms = 1; ; bound_ms = Math.min(2 * bound_ms, PAUSE_MS_MAX)) {
      try {
        const { rows } = await this.#bidding.query<Row>(query);
        const { refused, bid_id, minimum } = rows[0]!;
        if (refused === null) return { refused, bid_id: String(bid_id) };
        return { refused: refused as BidRefusal, min_next_bid_cents: Number(minimum) };
      } catch (error) {
        if (!(error instanceof DatabaseError) || !REPEATED.has(error.code ?? '')) throw error;
        if (performance.now() > until_ms) throw new Busy('too many bids at once', { cause: error });
        await pause(Math.random() * bound_ms);
      }
    }
  }

  async follow(item_id: string, listener: (change: Change) => void): Promise<() => void> {
    this.#listeners.set(item_id, listener);
    return () => {
      if (this.#listeners.get(item_id) === listener) this.#listeners.delete(item_id);
    };
  }

  ping(): Promise<unknown> {
    return this.#query('ping', 'SELECT 1', []);
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#bidding.end(), this.#listening.end()]);
  }

  async #query<Read extends QueryResultRow = Row>(name: string, text: string, values: unknown[]): Promise<Read[]> {
    return (await this.#pool.query<Read>({ name, text, values })).rows;
  }
}
