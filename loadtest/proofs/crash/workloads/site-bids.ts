// Bids by visitors of the auction site, through its app servers as its pages send them. Each bid has a key and is resent with it
// until its outcome is known, to the same or another app server, sometimes twice at once. These bids are in no history: each is
// reported before it is sent and when it is answered (bids.ts).

import { CSRF_HEADER } from '../../../../ui/site/api/csrf.ts';
import { newRequestKey, REQUEST_KEY_HEADER } from '../../../../ui/site/api/requestKeys.ts';
import type { Chance } from '../../../kit/random.ts';
import { BIDS_PER_AUCTION_MAX, type BidTold } from '../bids.ts';
import { tell } from '../ledger.ts';
import { pause } from '../until.ts';
import type { Begin, Visitor } from '../workload.ts';

/** Longer than the site's deadline for any response. */
const PATIENCE_MS = 15_000;
/** After this time the outcome counts as unknown. */
const KNOWN_WITHIN_MS = 20_000;
const AGAIN_MS = 25;
const TWICE_SHARE = 0.3;
/** An auction's price rises with time: a bid at this rate is likely to be the highest. */
const CENTS_PER_MS = 50;

export const siteBids: Begin = ({ chance, appServers, people }) => {
  const bidsOn = new Map<string, number>();
  let lastCents = 0;
  return {
    async run(round) {
      const item_id = chance.pick(round.visited);
      const before = bidsOn.get(item_id) ?? 0;
      if (before >= BIDS_PER_AUCTION_MAX / 2) return; // a restarted driver does not know its earlier bids
      bidsOn.set(item_id, before + 1);
      const elapsedMs = (Number(process.hrtime.bigint()) - round.begun_ns) / 1e6;
      const amount_cents = (lastCents = Math.max(lastCents + 1, Math.round(100 + elapsedMs * CENTS_PER_MS)));
      const visitor = chance.pick(people);
      const bid = { item_id, bidder_id: visitor.id, amount_cents };
      const key = newRequestKey(Date.now());
      tell({ bid: { ...bid, outcome: 'begun' } });
      const senders = Array.from({ length: chance.happens(TWICE_SHARE) ? 2 : 1 }, () =>
        sendUntilKnown(appServers, chance, bid, visitor, key),
      );
      tell({ bid: { ...bid, ...joined(await Promise.all(senders)) } });
    },
  };
};

interface Sent {
  outcome: Exclude<BidTold['outcome'], 'begun'>;
  /** if it is accepted */
  bid_id: string;
  sends: number;
}

type Bid = Pick<BidTold, 'item_id' | 'amount_cents'>;

async function sendUntilKnown(appServers: readonly string[], chance: Chance, bid: Bid, visitor: Visitor, key: string): Promise<Sent> {
  const untilMs = performance.now() + KNOWN_WITHIN_MS;
  for (let sends = 1; ; sends++) {
    const { outcome, bid_id } = await send(chance.pick(appServers), bid, visitor, key);
    // An earlier send of a refused bid may still be in flight.
    if (outcome === 'refused' && sends > 1) return { outcome: 'unknown', bid_id, sends };
    if (outcome !== 'unknown' || performance.now() > untilMs) return { outcome, bid_id, sends };
    await pause(AGAIN_MS);
  }
}

/** The combined outcome of concurrent sends of one bid. */
function joined(sent: readonly Sent[]): Pick<BidTold, 'outcome' | 'bid_id' | 'sends'> {
  const sends = sent.reduce((sum, one) => sum + one.sends, 0);
  const accepted = sent.filter(({ outcome }) => outcome === 'accepted');
  const ids = new Set(accepted.map(({ bid_id }) => bid_id));
  if (ids.size > 1) tell({ failed: `one bid was accepted twice, as ${[...ids].join(' and as ')}` });
  if (accepted.length > 0) return { outcome: 'accepted', bid_id: accepted[0]!.bid_id, sends };
  return { outcome: sent.every(({ outcome }) => outcome === 'refused') ? 'refused' : 'unknown', sends };
}

async function send(
  base: string,
  { item_id, amount_cents }: Bid,
  { token }: Visitor,
  key: string,
): Promise<Pick<Sent, 'outcome' | 'bid_id'>> {
  try {
    const answer = await fetch(`${base}/api/items/${item_id}/bids`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: `claret_auctions=${token}`, [CSRF_HEADER]: '1', [REQUEST_KEY_HEADER]: key },
      body: JSON.stringify({ amount_cents }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const { code, bid_id = '' } = (await answer.json()) as { code?: string; bid_id?: string };
    if (answer.status === 201) return { outcome: 'accepted', bid_id };
    // Refused by a rule of the site; a busy site, or one without its store, may not know the outcome.
    return { outcome: answer.status < 500 && code !== undefined ? 'refused' : 'unknown', bid_id };
  } catch {
    return { outcome: 'unknown', bid_id: '' };
  }
}
