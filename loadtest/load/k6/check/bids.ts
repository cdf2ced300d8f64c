// The ledger's bids: the responses to the storm's visitors, for the invariant of bids (invariants/bids.ts).

import { BIDS_KEPT_MAX, key } from '../../../../apps/rubis/server/model.ts';
import {
  bidCountFindings,
  bidListFindings,
  ownListFindings,
  type AcknowledgedBid,
  type AcknowledgedBids,
  type StoredBids,
} from '../../../invariants/bids.ts';
import { Findings } from '../../../invariants/findings.ts';
import { groupBy } from '../../../kit/group-by.ts';
import type { Auction } from './auction.ts';
import type { AuctionsStorm } from './auctions.ts';
import type { Write } from './ledger.ts';
import type { Room } from './room.ts';

type Line = Write<'bid'>;

export const bids: Room<AuctionsStorm> = async (storm) => {
  const findings = new Findings('bids');
  const lines = groupBy(storm.writes.bid, ({ facts }) => facts.item);
  for (const [item_id, ofItem] of lines) {
    const line = ofItem.find(({ certain }) => certain);
    if (line !== undefined && !storm.auctions.has(item_id))
      findings.add(key.item_info(item_id), `an auction on which ${line.person_id} bid`, 'nothing');
  }
  for (const auction of storm.auctions.values()) {
    const known = acknowledged(auction, lines.get(auction.item_id) ?? [], storm);
    for (const text of auction.unreadable) findings.add(key.item_bids(auction.item_id), 'bids and purchases', JSON.stringify(text));
    findings.addAll(bidListFindings(known, stored(auction)));
    findings.addAll(bidCountFindings(known, stored(auction)));
  }
  await onOwnLists(storm, lines, findings);
  return findings;
};

const bidOf = ({ person_id, certain, facts: { bid_id, amount, max } }: Line): AcknowledgedBid => ({
  id: bid_id,
  bidder_id: person_id,
  amount_cents: amount,
  max_cents: max,
  outcome: certain ? 'accepted' : 'unknown',
});

function acknowledged(auction: Auction, lines: readonly Line[], { before, data, alone, writes }: AuctionsStorm): AcknowledgedBids {
  const { item_id, bid_count, bids: listed } = auction;
  const accepted = lines.filter(({ certain }) => certain).length;
  const opened = writes.open.some(({ facts }) => facts.item === item_id);
  // An auction that was not read before the storm: its list contains the earlier bids, unless it may have lost some.
  const isWhole = opened || bid_count <= BIDS_KEPT_MAX;
  const listedBefore = listed.filter(({ placed_at_ms }) => placed_at_ms < before.at_ms).length;
  const people = new Set(data.auction_people.map(({ id }) => id));
  return {
    item_id,
    earlier: before.bid_counts.get(item_id) ?? (isWhole ? listedBefore : null),
    accepted,
    unknown: lines.length - accepted,
    others: !alone,
    bids: lines.map(bidOf),
    isOwn: ({ placed_at_ms, bidder }) => placed_at_ms >= before.at_ms && (alone || people.has(bidder.id)),
  };
}

const stored = ({ bid_count, kept, bids: listed, info }: Auction): StoredBids => ({
  count: bid_count,
  kept,
  listed,
  closes_at_ms: info.closes_at_ms,
  seller_id: info.seller.id,
});

/** Compares the own lists of bidders with their accepted bids. */
async function onOwnLists(storm: AuctionsStorm, lines: ReadonlyMap<string, readonly Line[]>, findings: Findings): Promise<void> {
  const { auctions, store } = storm;
  const places = [...lines].flatMap(([item_id, ofItem]) => {
    if (!auctions.has(item_id)) return [];
    const bidders = new Set(ofItem.filter(({ certain }) => certain).map(({ person_id }) => person_id));
    return [...bidders].map((bidder_id) => ({ item_id, bidder_id }));
  });
  const scores = await store.all(places.map(({ item_id, bidder_id }) => store.on.scoredSet(key.bidding(bidder_id)).score(item_id)));
  const byItem = groupBy(
    places.map((place, i) => ({ ...place, score: scores[i] as number | null })),
    ({ item_id }) => item_id,
  );
  for (const [item_id, ofItem] of byItem) {
    const auction = auctions.get(item_id)!;
    const ownLists = new Map(ofItem.map(({ bidder_id, score }) => [bidder_id, score]));
    findings.addAll(ownListFindings(acknowledged(auction, lines.get(item_id)!, storm), { ...stored(auction), ownLists }));
  }
}
