// Visitors of the auction site, who bid through its app servers. They keep no history, but tell of each bid before they send it and
// once it is answered (bids.ts).

import { CSRF_HEADER } from '../../../ui/site/api/csrf.ts';
import { BIDS_PER_AUCTION_MAX, type BidTold } from '../bids.ts';
import { tell } from '../ledger.ts';
import type { Begin, Visitor } from '../workload.ts';

/** Longer than the site takes for any answer. */
const PATIENCE_MS = 15_000;
/** An auction's price rises in time: by so much a bid may count on being the highest. */
const CENTS_PER_MS = 50;

export const visits: Begin = ({ chance, appServers, people }) => {
  const bidsOn = new Map<string, number>();
  let lastCents = 0;
  return {
    async run(round) {
      const item_id = chance.pick(round.visited);
      const before = bidsOn.get(item_id) ?? 0;
      if (before >= BIDS_PER_AUCTION_MAX / 2) return; // a driver that is started again does not know of the ones before
      bidsOn.set(item_id, before + 1);
      const elapsedMs = (Number(process.hrtime.bigint()) - round.begun_ns) / 1e6;
      const amount_cents = (lastCents = Math.max(lastCents + 1, Math.round(100 + elapsedMs * CENTS_PER_MS)));
      const visitor = chance.pick(people);
      const bid = { item_id, bidder_id: visitor.id, amount_cents };
      tell({ bid: { ...bid, outcome: 'begun' } });
      tell({ bid: { ...bid, outcome: await send(chance.pick(appServers), bid, visitor) } });
    },
  };
};

async function send(base: string, { item_id, amount_cents }: Pick<BidTold, 'item_id' | 'amount_cents'>, { token }: Visitor): Promise<BidTold['outcome']> {
  try {
    const answer = await fetch(`${base}/api/items/${item_id}/bids`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: `claret_auctions=${token}`, [CSRF_HEADER]: '1' },
      body: JSON.stringify({ amount_cents }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const { code } = (await answer.json()) as { code?: string };
    if (answer.status === 201) return 'accepted';
    // What a rule of the site says no to; a busy site, or one without its store, may not know.
    return answer.status < 500 && code !== undefined ? 'refused' : 'unknown';
  } catch {
    return 'unknown';
  }
}
