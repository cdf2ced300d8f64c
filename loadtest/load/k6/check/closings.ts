// Closings: an auction is closed once, when its time is over or it is sold out. Its winner leads by the bids, the price follows
// from them (apps/rubis/server/price.ts), and the auction is on the winner's list and on no other. An open auction has no result.

import { key } from '../../../../apps/rubis/server/model.ts';
import { priceOf, reserveOf } from '../../../../apps/rubis/server/price.ts';
import type { Auction } from './auction.ts';
import type { AuctionsStorm } from './auctions.ts';
import { Findings } from '../../../invariants/findings.ts';
import type { Room } from './room.ts';

export const closings: Room<AuctionsStorm> = async ({ data, auctions, overdue, won, writes }) => {
  const findings = new Findings('closings');
  for (const item_id of overdue) {
    const auction = auctions.get(item_id);
    if (auction?.info.status !== 'open') continue;
    findings.add(
      key.item_info(item_id),
      `it closed: ${auction.stock === 0 ? 'nothing is left' : `its time was over at ${auction.info.closes_at_ms}`}`,
      'it open',
    );
  }
  for (const item_id of [
    ...data.items,
    ...(data.hot_item === null ? [] : [data.hot_item.id]),
    ...writes.open.flatMap(({ certain, facts }) => (certain ? facts.item! : [])),
  ]) {
    if (!auctions.has(item_id)) findings.add(key.item_info(item_id), 'an auction', 'nothing');
  }
  for (const auction of auctions.values()) (auction.info.status === 'open' ? whileOpen : atEnd)(auction, findings);
  for (const [person_id, entries] of won) {
    for (const [item_id, at_ms] of entries) {
      const winner = auctions.get(item_id)?.info.winner ?? null;
      if (winner?.id !== person_id)
        findings.add(key.won(person_id), 'what they won', `${item_id} at ${at_ms}, which ${winner === null ? 'nobody' : winner.id} won`);
    }
  }
  return findings;
};

function whileOpen({ item_id, info }: Auction, findings: Findings): void {
  if (info.winner !== null || info.final_price_cents !== null || info.closed_at_ms !== null) {
    findings.add(
      key.item_info(item_id),
      'no end of an open auction',
      `winner ${info.winner?.id ?? 'nobody'}, price ${info.final_price_cents}, closed at ${info.closed_at_ms}`,
    );
  }
}

/** Compares the result with the bids and the stock, which cannot have changed since. */
function atEnd(auction: Auction, findings: Findings): void {
  const { item_id, info, bids, stock } = auction;
  const record = key.item_info(item_id);
  const sold_out = info.ended_by === 'sold_out';
  if (sold_out && stock !== 0) findings.add(record, 'nothing left, since it ended by that', `${stock} left`);
  if (!sold_out && (info.closed_at_ms ?? 0) < info.closes_at_ms)
    findings.add(record, `it closed at ${info.closes_at_ms} or later`, `at ${info.closed_at_ms}`);
  const leader = sold_out || reserveOf(info, bids) === 'not_met' ? undefined : bids[0];
  const wanted = leader === undefined ? 'nobody won' : `${leader.bidder.id} won at ${priceOf(info, bids)} cents`;
  const found = info.winner === null ? 'nobody won' : `${info.winner.id} won at ${info.final_price_cents} cents`;
  if (wanted !== found) findings.add(record, wanted, found);
  if (info.winner !== null && auction.won_at_ms !== info.closed_at_ms) {
    findings.add(
      key.won(info.winner.id),
      `${item_id} at ${info.closed_at_ms}`,
      auction.won_at_ms === null ? 'nothing' : `it at ${auction.won_at_ms}`,
    );
  }
}
