// Bids: each that was accepted is counted once and, unless so many are higher that a TopK has forgotten it, listed once, as it
// was made; one whose answer was lost is there once or not; nobody else's is there since the storm began. So the highest
// listed is the highest that was accepted.

import { BIDS_KEPT_MAX, key } from '../../../../apps/rubis/server/model.ts';
import type { Bid } from '../../../../apps/rubis/server/price.ts';
import type { Auction } from './auction.ts';
import type { AuctionsStorm } from './auctions.ts';
import { Findings } from '../../../invariants/findings.ts';
import { groupBy, type Write } from './ledger.ts';
import type { Room } from './room.ts';

type Line = Write<'bid'>;

const cents = (amount: number): string => `${amount} cents`;
const told = ({ bidder, amount_cents, max_cents }: Pick<Bid, 'amount_cents' | 'max_cents'> & { bidder: { id: string } }): string =>
  `${cents(amount_cents)} up to ${max_cents} by ${bidder.id}`;
const toldLine = ({ person_id, facts: { amount, max } }: Line): string =>
  told({ bidder: { id: person_id }, amount_cents: amount, max_cents: max });
const terms = (bidder_id: string, amount: number, max: number): string => `${bidder_id} ${amount} ${max}`;

export const bids: Room<AuctionsStorm> = async (storm) => {
  const findings = new Findings('bids');
  const lines = groupBy(storm.writes.bid, ({ facts }) => facts.item);
  for (const [item_id, of_item] of lines) {
    const line = of_item.find(({ certain }) => certain);
    if (line !== undefined && !storm.auctions.has(item_id))
      findings.add(key.item_info(item_id), `an auction on which ${line.person_id} bid`, 'nothing');
  }
  for (const auction of storm.auctions.values()) {
    const of_item = lines.get(auction.item_id) ?? [];
    for (const text of auction.unreadable) findings.add(key.item_bids(auction.item_id), 'bids and purchases', JSON.stringify(text));
    ofAuction(auction, of_item, storm, findings);
    counted(auction, of_item, storm, findings);
  }
  await onOwnLists(storm, findings);
  return findings;
};

/** The listed against the ledger. */
function ofAuction(auction: Auction, lines: readonly Line[], { before, data, alone }: AuctionsStorm, findings: Findings): void {
  const record = key.item_bids(auction.item_id);
  const by_id = new Map(lines.flatMap((line) => (line.facts.bid_id === undefined ? [] : [[line.facts.bid_id, line] as const])));
  // Known by what they are alone: their answers were lost.
  const without_id = groupBy(
    lines.filter(({ facts }) => facts.bid_id === undefined),
    ({ person_id, facts }) => terms(person_id, facts.amount, facts.max),
  );
  for (const same of without_id.values()) same.sort((a, b) => Number(a.certain) - Number(b.certain));
  const storm_people = new Set(data.auction_people.map(({ id }) => id));
  const listed = new Set<string>();
  for (const bid of auction.bids) {
    if (listed.has(bid.id)) findings.add(record, `bid ${bid.id} once`, 'it twice');
    listed.add(bid.id);
    const line = by_id.get(bid.id);
    if (line !== undefined) {
      if (toldLine(line) !== told(bid)) findings.add(record, `bid ${bid.id} of ${toldLine(line)}`, `it of ${told(bid)}`);
    } else if (bid.placed_at_ms >= before.at_ms && (alone || storm_people.has(bid.bidder.id))) {
      const lost = without_id.get(terms(bid.bidder.id, bid.amount_cents, bid.max_cents))?.pop();
      if (lost === undefined) findings.add(record, 'bids of the ledger', `${bid.id} of ${told(bid)}, which is none`);
    }
    if (bid.placed_at_ms >= auction.info.closes_at_ms)
      findings.add(record, `bids until ${auction.info.closes_at_ms}`, `${bid.id} at ${bid.placed_at_ms}`);
    if (bid.bidder.id === auction.info.seller.id) findings.add(record, 'no bid by the seller', `${bid.id} by ${bid.bidder.id}`);
  }
  // Of equal maxima some may have been forgotten.
  const forgotten_cents = auction.bids.length < BIDS_KEPT_MAX ? -1 : auction.bids.at(-1)!.max_cents;
  const missing = [...[...by_id].filter(([id]) => !listed.has(id)).map(([, line]) => line), ...[...without_id.values()].flat()];
  const highest = Math.max(...lines.filter(({ certain }) => certain).map(({ facts }) => facts.max));
  for (const line of missing) {
    if (!line.certain || line.facts.max <= forgotten_cents) continue;
    const which = line.facts.max === highest ? ', the highest that was accepted' : '';
    findings.add(
      record,
      `bid ${line.facts.bid_id ?? ''} of ${toldLine(line)}${which}`,
      auction.bids[0] === undefined ? 'none' : `none; the highest is of ${told(auction.bids[0])}`,
    );
  }
}

/** The count against the ledger, and against the list. */
function counted(
  { item_id, bid_count, kept, bids: listed }: Auction,
  lines: readonly Line[],
  { before, writes, alone }: AuctionsStorm,
  findings: Findings,
): void {
  const certain = lines.filter((line) => line.certain).length;
  const opened = writes.open.some(({ facts }) => facts.item === item_id);
  // Of an auction that nobody looked at before: what is listed from before, where nothing can have been forgotten.
  const earlier =
    before.bid_counts.get(item_id) ??
    (opened || bid_count <= BIDS_KEPT_MAX ? listed.filter((bid) => bid.placed_at_ms < before.at_ms).length : null);
  const record = key.item_bid_count(item_id);
  if (earlier !== null) {
    const [least, most] = [earlier + certain, alone ? earlier + lines.length : Infinity];
    const range = most === least ? String(least) : most === Infinity ? `at least ${least}` : `${least} to ${most}`;
    if (bid_count < least || bid_count > most)
      findings.add(record, `${range} (${earlier} before, ${certain} accepted, ${lines.length - certain} unknown)`, String(bid_count));
  }
  const kept_of = Math.min(bid_count, BIDS_KEPT_MAX);
  if (kept !== kept_of) findings.add(key.item_bids(item_id), `${kept_of} bids, of ${bid_count} counted`, String(kept));
}

/** Who bids somewhere finds it on the own list. */
async function onOwnLists({ writes, auctions, store }: AuctionsStorm, findings: Findings): Promise<void> {
  const pairs = new Map(
    writes.bid
      .filter(({ certain }) => certain)
      .map(({ person_id, facts }) => [`${person_id} ${facts.item}`, { person_id, item_id: facts.item }]),
  );
  const places = [...pairs.values()].filter(({ item_id }) => auctions.has(item_id));
  const scores = await store.all(places.map(({ person_id, item_id }) => store.on.scoredSet(key.bidding(person_id)).score(item_id)));
  places.forEach(({ person_id, item_id }, i) => {
    const closes_at_ms = auctions.get(item_id)!.info.closes_at_ms;
    if (scores[i] !== closes_at_ms)
      findings.add(key.bidding(person_id), `${item_id} at ${closes_at_ms}`, scores[i] === null ? 'nothing' : `it at ${scores[i]}`);
  });
}
