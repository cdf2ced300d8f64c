// The invariant of bids, without a store: bids that match the acknowledged ones pass, and every lie is found.
import { describe, expect, it } from 'vitest';
import { BIDS_KEPT_MAX } from '../../apps/rubis/server/model.ts';
import type { Bid } from '../../apps/rubis/server/price.ts';
import { bidFindings, type AcknowledgedBid, type AcknowledgedBids, type StoredBids } from './bids.ts';
import { sentenceOf } from './findings.ts';

const made = (id: string, amount_cents: number, more: Partial<AcknowledgedBid> = {}): AcknowledgedBid => ({
  id,
  bidder_id: 'ann',
  amount_cents,
  max_cents: amount_cents,
  outcome: 'accepted',
  ...more,
});
const listed = (id: string, amount_cents: number, more: Partial<Bid> = {}): Bid => ({
  id,
  bidder: { id: 'ann', nickname: 'ann' },
  placed_at_ms: 5,
  amount_cents,
  max_cents: amount_cents,
  ...more,
});
const bids = [made('b1', 100), made('b2', 200)];
const rightList = [listed('b2', 200), listed('b1', 100)];

function findings(known: Partial<AcknowledgedBids> = {}, stored: Partial<StoredBids> = {}): string[] {
  const told = { item_id: 'i', earlier: 0, accepted: 2, unknown: 0, others: false, bids, ...known };
  return bidFindings(told, { count: 2, kept: 2, listed: rightList, ...stored }).map(sentenceOf);
}

it('bids that match the acknowledged ones pass', () => {
  const list = { closes_at_ms: 6, seller_id: 'sue', ownLists: new Map([['ann', 6]]), highest_cents: 200 };
  expect(findings({ highest_cents: 200 }, list)).toEqual([]);
});

it('a bid without a response passes if it is there once or not at all', () => {
  const known = { unknown: 1, bids: [...bids, made('', 300, { id: undefined, outcome: 'unknown' })] };
  const once = { count: 3, kept: 3, listed: [listed('b3', 300), ...rightList] };
  expect(findings(known)).toEqual([]);
  expect(findings(known, once)).toEqual([]);
  expect(findings(known, { count: 4, kept: 4, listed: [listed('b4', 300), ...once.listed] })).toEqual([
    '{item:i}:bids: expected bids of the ledger, found b3 of 300 cents up to 300 by ann, which is none',
    '{item:i}:bid_count: expected 2 to 3 (0 before, 2 accepted, 1 unknown), found 4',
  ]);
});

it('bids of others pass if others may bid', () => {
  const stored = { count: 3, kept: 3, listed: [listed('v', 300, { bidder: { id: 'vic', nickname: 'vic' } }), ...rightList] };
  expect(findings({ others: true, isOwn: ({ bidder }) => bidder.id === 'ann' }, stored)).toEqual([]);
  expect(findings({}, stored)).toHaveLength(2);
});

it('a full list may have lost low bids, but no high ones', () => {
  const full = Array.from({ length: BIDS_KEPT_MAX }, (_, i) => made(`f${i}`, 1_000 - i));
  const known = { accepted: BIDS_KEPT_MAX + 2, bids: [...full, ...bids] };
  const stored = { count: BIDS_KEPT_MAX + 2, kept: BIDS_KEPT_MAX, listed: full.map(({ id, amount_cents }) => listed(id!, amount_cents)) };
  expect(findings(known, stored)).toEqual([]);
  expect(findings({ ...known, bids: [...full.slice(1), made('f0', 1_001), ...bids] }, stored)).toHaveLength(1);
  const without = { ...stored, listed: [...stored.listed.slice(0, 9), ...stored.listed.slice(10), listed('b2', 200)] };
  expect(findings(known, without)).toEqual([expect.stringMatching(/expected bid f9 of 991 cents .* found none; the highest is of 1000/)]);
});

describe('a lie about bids', () => {
  const lies: Record<string, [Partial<AcknowledgedBids>, Partial<StoredBids>, string[]]> = {
    'an accepted bid that is not listed': [
      {},
      { listed: [listed('b1', 100)] },
      [
        '{item:i}:bids: expected bid b2 of 200 cents up to 200 by ann, the highest that was accepted, found none; the highest is of 100 cents up to 100 by ann',
      ],
    ],
    'an accepted bid that is listed twice': [
      {},
      { listed: [...rightList, listed('b1', 100)] },
      ['{item:i}:bids: expected bid b1 once, found it twice'],
    ],
    'another amount': [
      {},
      { listed: [listed('b2', 201), listed('b1', 100)] },
      ['{item:i}:bids: expected bid b2 of 200 cents up to 200 by ann, found it of 201 cents up to 201 by ann'],
    ],
    'a refused bid that is listed': [
      { bids: [...bids, made('', 300, { id: undefined, outcome: 'refused' })] },
      { listed: [listed('b3', 300), ...rightList] },
      ['{item:i}:bids: expected bids of the ledger, found b3 of 300 cents up to 300 by ann, which was refused'],
    ],
    'a count that is too low': [{}, { count: 1, kept: 1 }, ['{item:i}:bid_count: expected 2 (0 before, 2 accepted, 0 unknown), found 1']],
    'a list that is shorter than the count': [{}, { kept: 1 }, ['{item:i}:bids: expected 2 bids, of 2 counted, found 1']],
    'another highest bid': [
      { highest_cents: 200 },
      { highest_cents: null },
      ['{item:i}:bids: expected the highest of 200 cents, found no bid'],
    ],
    'a bid after the end, and one by the seller': [
      {},
      { closes_at_ms: 5, seller_id: 'ann', listed: [listed('b2', 200, { placed_at_ms: 4 }), listed('b1', 100)] },
      [
        '{item:i}:bids: expected no bid by the seller, found b2 by ann',
        '{item:i}:bids: expected bids until 5, found b1 at 5',
        '{item:i}:bids: expected no bid by the seller, found b1 by ann',
      ],
    ],
    'a bidder whose own list lacks the auction': [
      {},
      { ownLists: new Map([['ann', null]]) },
      ['{user:ann}:bidding: expected i, found nothing'],
    ],
    'an own list with another end': [
      {},
      { closes_at_ms: 9, ownLists: new Map([['ann', 7]]) },
      ['{user:ann}:bidding: expected i at 9, found it at 7'],
    ],
    'an own list with an auction without a bid': [
      {},
      { ownLists: new Map([['bob', 7]]) },
      ['{user:bob}:bidding: expected no i, on which they have no bid, found it at 7'],
    ],
  };
  it.each(Object.entries(lies))('is found: %s', (_name, [known, stored, wanted]) => {
    expect(findings(known, stored)).toEqual(wanted);
  });
});
