// The transactions as Lua scripts, which Redis runs one at a time and atomically. Called by their digest (EVALSHA).

import { redisScript as script } from '../../kit/redis-script.ts';

type Text = string | null;

export const SCRIPTS = {
  /** keys: the sets; args: the member to add to each, or '' for its size */
  rawmix: script<number[]>(`
    local results = {}
    for i, key in ipairs(KEYS) do
      if ARGV[i] == '' then results[i] = redis.call('SCARD', key) else results[i] = redis.call('SADD', key, ARGV[i]) end
    end
    return results`),

  /** keys: info, bids, bid_count; args: number of bids, then the fields. Returns bids followed by their scores */
  readItem: script<(Text | Text[])[]>(`
    return {
      redis.call('HMGET', KEYS[1], unpack(ARGV, 2)),
      redis.call('ZRANGE', KEYS[2], 0, ARGV[1] - 1, 'WITHSCORES'),
      redis.call('GET', KEYS[3]),
    }`),

  /** keys: info, bids, bid_count, bidding; args: bidder, cents, time, the bid, item. Returns the reason of a refusal, or null */
  bid: script<Text>(`
    local info = redis.call('HMGET', KEYS[1], 'status', 'seller', 'closes_at_ms', 'start_price_cents')
    if not info[1] then return 'unknown_item' end
    if info[1] ~= 'open' or tonumber(ARGV[3]) >= tonumber(info[3]) then return 'auction_closed' end
    if info[2] == ARGV[1] then return 'own_item' end
    if tonumber(ARGV[2]) < tonumber(info[4]) then return 'amount_below_minimum' end
    redis.call('ZADD', KEYS[2], -ARGV[2], ARGV[4])
    redis.call('INCR', KEYS[3])
    redis.call('ZADD', KEYS[4], info[3], ARGV[5])
    return false`),

  /**
   * keys: info, bids, the indexes; args: item, now, prefix and suffix of a winner's key. Returns the reason of a refusal, or null
   * and the leading bid with its score
   */
  closeAuction: script<Text[]>(`
    local info = redis.call('HMGET', KEYS[1], 'status', 'closes_at_ms')
    if not info[1] then return {'unknown_item'} end
    if info[1] == 'closed' then return {'auction_closed'} end
    if tonumber(ARGV[2]) < tonumber(info[2]) then return {'auction_open'} end
    local top = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')
    redis.call('HSET', KEYS[1], 'status', 'closed', 'closed_at_ms', ARGV[2])
    for i = 3, #KEYS do redis.call('ZREM', KEYS[i], ARGV[1]) end
    if top[1] then
      local winner, nickname = string.match(top[1], '^[^:]*:[^:]*:([^:]*):(.*)$')
      redis.call('HSET', KEYS[1], 'winner', winner, 'winner_nickname', nickname, 'final_price_cents', -top[2])
      redis.call('ZADD', ARGV[3] .. winner .. ARGV[4], ARGV[2], ARGV[1])
    end
    return {false, top[1], top[2]}`),

  /** keys: info, rating, comments, comment; args: rating, comment's id, time, then fields and values except for the item's title */
  newComment: script<number>(`
    local title = redis.call('HMGET', KEYS[1], 'status', 'title')
    if not title[1] then return 0 end
    redis.call('HINCRBY', KEYS[2], ARGV[1], 1)
    redis.call('ZADD', KEYS[3], ARGV[3], ARGV[2])
    redis.call('HSET', KEYS[4], 'item_title', title[2], unpack(ARGV, 4))
    return 1`),

  /** keys: nickname, profile; args: the user's id, then fields and values. Returns 0 if the nickname is taken */
  newUser: script<number>(`
    if redis.call('SETNX', KEYS[1], ARGV[1]) == 0 then return 0 end
    redis.call('HSET', KEYS[2], unpack(ARGV, 2))
    return 1`),
};
