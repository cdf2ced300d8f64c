// The auctions on one redis-server, by node-redis: one connection, on which the client pipelines the commands of concurrent requests, and one
// for pub/sub. What must happen as a whole is a Lua script, called by its digest.
//
//   user:U           hash      the person
//   nickname:N       string    N in lower case: the person's id
//   session:H        hash      the person, so that a request reads one record
//   user:U:selling, user:U:bidding   sorted sets of items by their end
//   item:I           hash      the auction with its price, next minimum, leader and counts
//   item:I:bids      list      the bids, highest first (store.ts, bidOf)
//   item:I:bidders   hash      person -> id and cents of their highest bid, and since when it is outbid
//   item:I:requests  hash      request -> the id of its bid
//   item:I:changes   channel   changeOf
import { randomBytes } from 'node:crypto';

import { createClient } from 'redis';

import { LIMITS } from '../../apps/rubis/server/api.ts';
import { redisScript as script } from '../kit/redis-script.ts';
import {
  auctionOf,
  bidOf,
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

const SCRIPTS = {
  /** keys: nickname, user; args: the id, then fields and values. 0: the nickname is taken */
  addUser: script<number>(`
    if redis.call('SETNX', KEYS[1], ARGV[1]) == 0 then return 0 end
    redis.call('HSET', KEYS[2], unpack(ARGV, 2))
    return 1`),

  /** keys: item. Null: there is no such item */
  countView: script<number | null>(`
    if redis.call('EXISTS', KEYS[1]) == 0 then return false end
    return redis.call('HINCRBY', KEYS[1], 'views', 1)`),

  /**
   * keys: item, bids, bidders, requests, the person's list, channel; args: person, nickname, cents, the next minimum, the bid's id, the
   * request or '', item's id. Returns the reason of a refusal or '', the bid's id, and the minimum.
   */
  bid: script<string[]>(`
    local person, cents, bid, request = ARGV[1], ARGV[3], ARGV[5], ARGV[6]
    local before = request ~= '' and redis.call('HGET', KEYS[4], request)
    if before then return {'', before, ''} end
    local item = redis.call('HMGET', KEYS[1], 'seller_id', 'closes_at_ms', 'min_next_bid_cents', 'leader_id')
    if not item[1] then return {'unknown_item', '', ''} end
    if item[1] == person then return {'own_item', '', ''} end
    local time = redis.call('TIME')
    local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
    if tonumber(now) >= tonumber(item[2]) then return {'auction_closed', '', ''} end
    if tonumber(cents) < tonumber(item[3]) then return {'amount_below_minimum', '', item[3]} end
    local text = table.concat({bid, person, ARGV[2], cents, now}, ':')
    local count = redis.call('LPUSH', KEYS[2], text)
    redis.call('HSET', KEYS[1], 'price_cents', cents, 'min_next_bid_cents', ARGV[4], 'bid_count', count,
      'leader_id', person, 'leader_nickname', ARGV[2])
    if item[4] and item[4] ~= person then
      redis.call('HSET', KEYS[3], item[4], redis.call('HGET', KEYS[3], item[4]) .. now)
    end
    redis.call('HSET', KEYS[3], person, bid .. ':' .. cents .. ':')
    redis.call('ZADD', KEYS[5], item[2], ARGV[7])
    if request ~= '' then redis.call('HSET', KEYS[4], request, bid) end
    redis.call('PUBLISH', KEYS[6], count .. ':' .. ARGV[4] .. ':' .. text)
    return {'', bid, ''}`),
};

/** all but the description, and the views */
const FIELDS = [
  ...['title', 'category_id', 'region_id', 'seller_id', 'seller_nickname', 'start_price_cents', 'opened_at_ms', 'closes_at_ms'],
  ...['price_cents', 'min_next_bid_cents', 'bid_count', 'leader_id', 'leader_nickname'],
];

const connection = (url: string) => createClient({ url, scripts: SCRIPTS });
type Connection = ReturnType<typeof connection>;

export class RedisAuctionStore implements AuctionStore {
  readonly #redis: Connection;
  readonly #subscriber: Connection;

  private constructor(redis: Connection) {
    this.#redis = redis;
    this.#subscriber = redis.duplicate();
  }

  static async connect(url: string): Promise<RedisAuctionStore> {
    const store = new RedisAuctionStore(connection(url));
    for (const one of [store.#redis, store.#subscriber]) {
      one.on('error', (error: Error) => console.error(`redis: ${error.message}`)); // the client connects again
      await one.connect();
    }
    return store;
  }

  async addUser({ nickname, region_id, credentials }: NewUser): Promise<string | null> {
    const id = String(await this.#redis.incr('ids:user'));
    const fields = ['nickname', nickname, 'region_id', region_id, 'created_at_ms', String(Date.now())];
    if (credentials !== null) fields.push('credentials', credentials);
    const added = await this.#redis.addUser([`nickname:${nickname.toLowerCase()}`, `user:${id}`], [id, ...fields]);
    return added === 1 ? id : null;
  }

  async account(nickname: string): Promise<Account | null> {
    const id = await this.#redis.get(`nickname:${nickname.toLowerCase()}`);
    if (id === null) return null;
    const [name, region_id, credentials] = await this.#redis.hmGet(`user:${id}`, ['nickname', 'region_id', 'credentials']);
    return { person: { id, nickname: name!, region_id: region_id! }, credentials: credentials ?? null };
  }

  async openSession(token_hash: string, { id, nickname, region_id }: Person): Promise<void> {
    const session = `session:${token_hash}`;
    await this.#redis.multi().hSet(session, { id, nickname, region_id }).expire(session, SESSION_TTL_S).exec();
  }

  async person(token_hash: string): Promise<Person | null> {
    const session: Row = await this.#redis.hGetAll(`session:${token_hash}`);
    return session['id'] === undefined ? null : personOf(session);
  }

  async user(user_id: string): Promise<{ user: User; selling: Auction[] } | null> {
    const [[nickname, region_id, created_at_ms], items] = await Promise.all([
      this.#redis.hmGet(`user:${user_id}`, ['nickname', 'region_id', 'created_at_ms']),
      this.#open(`user:${user_id}:selling`, LIMITS.page_size),
    ]);
    if (typeof nickname !== 'string') return null;
    const selling = await Promise.all(items.map((item_id) => this.#card(item_id)));
    return { user: { id: user_id, nickname, region_id: region_id!, created_at_ms: Number(created_at_ms) }, selling };
  }

  async mine(user_id: string): Promise<MyAuction[]> {
    const most = LIMITS.inbox_auctions_max;
    const [open, ended, sold] = await Promise.all([
      this.#open(`user:${user_id}:bidding`, most),
      this.#ended(`user:${user_id}:bidding`, most),
      this.#ended(`user:${user_id}:selling`, most),
    ]);
    const bidOn = [...open, ...ended].map(async (item_id): Promise<MyAuction> => {
      const [auction, mine] = await Promise.all([this.#card(item_id), this.#redis.hGet(`item:${item_id}:bidders`, user_id)]);
      const [id = '', , outbid_at_ms = ''] = (mine ?? '').split(':');
      return { ...auction, my_bid: { id, outbid_at_ms: outbid_at_ms === '' ? null : Number(outbid_at_ms) } };
    });
    return Promise.all([...bidOn, ...sold.map(async (item_id) => ({ ...(await this.#card(item_id)), my_bid: null }))]);
  }

  async openAuction({ seller, ...item }: NewAuction): Promise<string> {
    const id = String(await this.#redis.incr('ids:item'));
    const { start_price_cents, closes_at_ms } = item;
    const fields = { ...item, seller_id: seller.id, seller_nickname: seller.nickname, price_cents: start_price_cents };
    await this.#redis
      .multi()
      .hSet(`item:${id}`, { ...fields, min_next_bid_cents: start_price_cents, bid_count: 0 })
      .zAdd(`user:${seller.id}:selling`, { score: closes_at_ms, value: id })
      .exec();
    return id;
  }

  async auction(item_id: string, bids_max: number, viewer_id: string | null): Promise<ViewedAuction | null> {
    const item = `item:${item_id}`;
    const [fields, bids, mine] = await this.#redis
      .multi()
      .hGetAll(item)
      .lRange(`${item}:bids`, 0, bids_max - 1)
      .hGet(`${item}:bidders`, viewer_id ?? '')
      .execTyped();
    if (fields['title'] === undefined) return null;
    const my_bid_cents = mine === null ? null : Number(mine.split(':')[1]);
    return { ...auctionOf({ id: item_id, ...fields }), description: fields['description']!, bids: bids.map(bidOf), my_bid_cents };
  }

  countView(item_id: string): Promise<number | null> {
    return this.#redis.countView([`item:${item_id}`], []);
  }

  async bid({ item_id, bidder, amount_cents, min_next_bid_cents, request }: NewBid): Promise<BidOutcome> {
    const item = `item:${item_id}`;
    const [refused, bid_id = '', minimum] = await this.#redis.bid(
      [item, `${item}:bids`, `${item}:bidders`, `${item}:requests`, `user:${bidder.id}:bidding`, `${item}:changes`],
      [
        ...[bidder.id, bidder.nickname, String(amount_cents), String(min_next_bid_cents)],
        ...[randomBytes(9).toString('base64url'), request ?? '', item_id],
      ],
    );
    if (refused === '') return { refused: null, bid_id };
    return { refused: refused as BidRefusal, min_next_bid_cents: Number(minimum) };
  }

  async follow(item_id: string, listener: (change: Change) => void): Promise<() => void> {
    const channel = `item:${item_id}:changes`;
    const hear = (message: string): void => listener(changeOf(message));
    await this.#subscriber.subscribe(channel, hear);
    return () => void this.#subscriber.unsubscribe(channel, hear).catch(() => undefined);
  }

  ping(): Promise<unknown> {
    return this.#redis.ping();
  }

  async close(): Promise<void> {
    await Promise.all([this.#redis.close(), this.#subscriber.close()]);
  }

  async #card(item_id: string): Promise<Auction> {
    const values = await this.#redis.hmGet(`item:${item_id}`, FIELDS);
    return auctionOf({ id: item_id, ...Object.fromEntries(FIELDS.map((field, i) => [field, values[i]])) });
  }

  /** ending soonest first */
  #open(list: string, most: number): Promise<string[]> {
    return this.#redis.zRange(list, `(${Date.now()}`, '+inf', { BY: 'SCORE', LIMIT: { offset: 0, count: most } });
  }

  /** ended last first */
  #ended(list: string, most: number): Promise<string[]> {
    return this.#redis.zRange(list, String(Date.now()), '-inf', { BY: 'SCORE', REV: true, LIMIT: { offset: 0, count: most } });
  }
}
