// The invariant of bids, auction by auction:
//
//   count       An accepted bid is counted once. The list keeps the BIDS_KEPT_MAX highest of the counted bids.
//   list        An accepted bid is listed once, as it was made, unless enough higher bids have pushed it off the list. A bid
//               without a response is there once or not at all. No other bid is there. So the highest listed bid is the highest
//               accepted bid.
//   own list    A bidder has the auction on the list of the auctions that they bid on.
//
// A tool describes the bids acknowledged to its clients (`AcknowledgedBids`) and the stored bids (`StoredBids`, read by `readBids`
// and `readBidCounts`), and gets the differences. A tool that does not track single bids omits `bids`.

import type { Claret } from '@claret/client';
import { parseBid, type Scored } from '../../apps/rubis/server/actions/highest-bids.ts';
import { BIDS_KEPT_MAX, key } from '../../apps/rubis/server/model.ts';
import type { Bid } from '../../apps/rubis/server/price.ts';
import { readAll, type Records } from '../kit/checking.ts';
import { groupBy } from '../kit/group-by.ts';
import type { Finding } from './findings.ts';

export interface AcknowledgedBid {
  /** the site's id of the bid; undefined: no response had it */
  id?: string | undefined;
  bidder_id: string;
  amount_cents: number;
  /** the secret maximum; equal to the amount if none was given */
  max_cents: number;
  /** `unknown`: it may have been accepted or not */
  outcome: 'accepted' | 'unknown' | 'refused';
}

export interface AcknowledgedBids {
  item_id: string;
  /** number of bids older than the acknowledged ones; null: unknown */
  earlier: number | null;
  accepted: number;
  unknown: number;
  /** Whether clients of other tools may bid too. */
  others: boolean;
  /** the highest accepted amount, if there are no other bids; null: there is no bid */
  highest_cents?: number | null;
  /** single bids: at least the BIDS_KEPT_MAX highest of the accepted ones, and all without a response */
  bids?: readonly AcknowledgedBid[];
  /** Whether a listed bid has to be among `bids`. */
  isOwn?: (bid: Bid) => boolean;
}

export interface StoredBids {
  count: number;
  /** length of the list */
  kept: number;
  highest_cents?: number | null;
  /** the whole list, highest first */
  listed?: readonly Bid[];
  /** of the auction; no bid is later, and the seller never bids */
  closes_at_ms?: number;
  seller_id?: string;
  /** by bidder: the score of the auction on the bidder's own list; null: it is not there */
  ownLists?: ReadonlyMap<string, number | null>;
}

/** All comparisons that the data on both sides allows. */
export function bidFindings(known: AcknowledgedBids, stored: StoredBids): Finding[] {
  return [
    ...bidListFindings(known, stored),
    ...bidCountFindings(known, stored),
    ...highestBidFindings(known, stored),
    ...ownListFindings(known, stored),
  ];
}

export function bidCountFindings({ item_id, earlier, accepted, unknown, others }: AcknowledgedBids, stored: StoredBids): Finding[] {
  const { count, kept } = stored;
  const findings: Finding[] = [];
  if (earlier !== null) {
    const least = earlier + accepted;
    const most = others ? Infinity : least + unknown;
    const range = most === least ? String(least) : others ? `at least ${least}` : `${least} to ${most}`;
    if (count < least || count > most) {
      const expected = `${range} (${earlier} before, ${accepted} accepted, ${unknown} unknown)`;
      findings.push({ record: key.item_bid_count(item_id), expected, found: String(count) });
    }
  }
  const keptOf = Math.min(count, BIDS_KEPT_MAX);
  if (kept !== keptOf) {
    findings.push({ record: key.item_bids(item_id), expected: `${keptOf} bids, of ${count} counted`, found: String(kept) });
  }
  return findings;
}

function highestBidFindings({ item_id, highest_cents: wanted }: AcknowledgedBids, { highest_cents: found }: StoredBids): Finding[] {
  if (wanted === undefined || found === undefined || wanted === found) return [];
  const text = (cents: number | null) => (cents === null ? 'no bid' : `the highest of ${cents} cents`);
  return [{ record: key.item_bids(item_id), expected: text(wanted), found: text(found) }];
}

const terms = ({ bidder_id, amount_cents, max_cents }: AcknowledgedBid): string =>
  `${amount_cents} cents up to ${max_cents} by ${bidder_id}`;
const termsOfListed = ({ bidder, amount_cents, max_cents }: Bid): string => `${amount_cents} cents up to ${max_cents} by ${bidder.id}`;

/** Compares in both directions: from the acknowledged bids to the list, and back. */
export function bidListFindings(known: AcknowledgedBids, { listed, closes_at_ms, seller_id }: StoredBids): Finding[] {
  const { item_id, bids, isOwn = () => true } = known;
  if (bids === undefined || listed === undefined) return [];
  const record = key.item_bids(item_id);
  const findings: Finding[] = [];
  const add = (expected: string, found: string) => void findings.push({ record, expected, found });
  const possible = new Possible(bids);
  const seen = new Set<string>();
  for (const bid of listed) {
    const text = termsOfListed(bid);
    if (seen.has(bid.id)) add(`bid ${bid.id} once`, 'it twice');
    seen.add(bid.id);
    const same = possible.withId(bid.id);
    if (same === undefined) {
      const strange = isOwn(bid) ? possible.takeByTerms(text) : null;
      if (strange !== null) add('bids of the ledger', `${bid.id} of ${text}, which ${strange}`);
    } else if (terms(same) !== text) add(`bid ${bid.id} of ${terms(same)}`, `it of ${text}`);
    if (closes_at_ms !== undefined && bid.placed_at_ms >= closes_at_ms)
      add(`bids until ${closes_at_ms}`, `${bid.id} at ${bid.placed_at_ms}`);
    if (bid.bidder.id === seller_id) add('no bid by the seller', `${bid.id} by ${bid.bidder.id}`);
  }
  return [...findings, ...missing(record, possible.notIn(seen), bids, listed)];
}

/** The acknowledged bids that a listed bid may be. */
class Possible {
  readonly #byId = new Map<string, AcknowledgedBid>();
  /** bids whose id is unknown, by their terms; accepted ones are taken first */
  readonly #byTerms: Map<string, AcknowledgedBid[]>;
  readonly #refused = new Set<string>();

  constructor(bids: readonly AcknowledgedBid[]) {
    const withoutId: AcknowledgedBid[] = [];
    for (const bid of bids) {
      if (bid.outcome === 'refused') this.#refused.add(terms(bid));
      else if (bid.id === undefined) withoutId.push(bid);
      else this.#byId.set(bid.id, bid);
    }
    this.#byTerms = groupBy(withoutId, terms);
    for (const same of this.#byTerms.values()) same.sort((a, b) => Number(a.outcome === 'accepted') - Number(b.outcome === 'accepted'));
  }

  withId(id: string): AcknowledgedBid | undefined {
    return this.#byId.get(id);
  }

  /** Takes a bid with these terms. Null: there was one; otherwise the fault. */
  takeByTerms(text: string): string | null {
    if (this.#byTerms.get(text)?.pop() !== undefined) return null;
    return this.#refused.has(text) ? 'was refused' : 'is none';
  }

  /** The acknowledged bids that are not listed. */
  notIn(seen: ReadonlySet<string>): AcknowledgedBid[] {
    return [...[...this.#byId].filter(([id]) => !seen.has(id)).map(([, bid]) => bid), ...[...this.#byTerms.values()].flat()];
  }
}

function missing(
  record: string,
  notListed: readonly AcknowledgedBid[],
  bids: readonly AcknowledgedBid[],
  listed: readonly Bid[],
): Finding[] {
  // A full list may have lost some bids that are as low as its last one.
  const forgottenCents = listed.length < BIDS_KEPT_MAX ? -1 : listed.at(-1)!.max_cents;
  const accepted = bids.filter(({ outcome }) => outcome === 'accepted');
  const highestCents = Math.max(...accepted.map(({ max_cents }) => max_cents));
  const lost = notListed.filter(({ outcome, max_cents }) => outcome === 'accepted' && max_cents > forgottenCents);
  return lost.map((bid) => ({
    record,
    expected: `bid ${bid.id ?? ''} of ${terms(bid)}${bid.max_cents === highestCents ? ', the highest that was accepted' : ''}`,
    found: listed[0] === undefined ? 'none' : `none; the highest is of ${termsOfListed(listed[0])}`,
  }));
}

/** A bidder with a bid has the auction on the own list. If all bids are listed, a bidder without a bid does not have it there. */
export function ownListFindings({ item_id, bids = [], others }: AcknowledgedBids, stored: StoredBids): Finding[] {
  const { ownLists, listed = [], count, closes_at_ms } = stored;
  if (ownLists === undefined) return [];
  const bidders = new Set(listed.map(({ bidder }) => bidder.id));
  for (const { bidder_id, outcome } of bids) if (outcome === 'accepted') bidders.add(bidder_id);
  const allListed = count <= BIDS_KEPT_MAX && !others;
  const findings: Finding[] = [];
  for (const [bidder_id, score] of ownLists) {
    const record = key.bidding(bidder_id);
    const found = score === null ? 'nothing' : `it at ${score}`;
    if (bidders.has(bidder_id)) {
      const isRight = closes_at_ms === undefined ? score !== null : score === closes_at_ms;
      const time = closes_at_ms === undefined ? '' : ` at ${closes_at_ms}`;
      if (!isRight) findings.push({ record, expected: `${item_id}${time}`, found });
    } else if (allListed && score !== null) {
      findings.push({ record, expected: `no ${item_id}, on which they have no bid`, found });
    }
  }
  return findings;
}

/** Reads the bids of an auction, and its score on the own lists of the bidders, in one transaction. */
export async function readBids(claret: Claret, item_id: string, bidders: readonly string[] = []): Promise<StoredBids> {
  const bids = claret.on.topK(key.item_bids(item_id));
  const [count, kept, top, ...scores] = await claret.transact('Check', [
    claret.on.counter(key.item_bid_count(item_id)).value(),
    bids.size(),
    bids.top(BIDS_KEPT_MAX),
    ...bidders.map((bidder_id) => claret.on.scoredSet(key.bidding(bidder_id)).score(item_id)),
  ]);
  return {
    count: Number(count),
    kept: Number(kept),
    listed: (top as Scored[]).map(parseBid),
    ownLists: new Map(bidders.map((bidder_id, i) => [bidder_id, scores[i] as number | null])),
  };
}

/** Reads the counts and the highest bids of many auctions, in few messages. */
export async function readBidCounts(claret: Records, item_ids: readonly string[]): Promise<StoredBids[]> {
  const found = await readAll<unknown>(
    claret,
    item_ids.flatMap((item_id) => [
      claret.on.counter(key.item_bid_count(item_id)).value(),
      claret.on.topK(key.item_bids(item_id)).size(),
      claret.on.topK(key.item_bids(item_id)).max(),
    ]),
  );
  return item_ids.map((_, i) => {
    const [count, kept, top] = found.slice(3 * i, 3 * i + 3) as [number, number, Scored | null];
    return { count: Number(count), kept: Number(kept), highest_cents: top?.[1] ?? null };
  });
}
