// The paper's rubis (../../workloads/rubis.ts) with few auctions, which end soon: the auction site's own transactions.
import type { Claret } from '@claret/client';
import { loadPeople } from '../../workloads/rubis-data.ts';
import { Rubis, type RubisKind } from '../../workloads/rubis.ts';
import type { Workload } from './workload.ts';

const AUCTIONS = 4;
const PEOPLE = 6;
const HORIZON_SECONDS = 1;
/** Rare kinds are as frequent as others, because they conflict with most. */
const KINDS: readonly RubisKind[] = [
  'view_auction',
  'bid',
  'bid',
  'bid',
  'browse',
  'open_or_close',
  'open_or_close',
  'comment',
  'new_user',
  'view_user',
];

export const rubis: Workload = {
  name: 'rubis',
  inARow: 3,
  begin(chance) {
    const site = new Rubis({ mix: 'bid-heavy', items: AUCTIONS, people: PEOPLE, horizon_seconds: HORIZON_SECONDS }, chance.next);
    const { auctions } = site;
    const known = new WeakSet<object>();
    const open = async (rank: number, claret: Claret) => {
      const auction = await site.openAt(claret, rank, auctions.nowMs() + 1 + chance.below(1000 * HORIZON_SECONDS));
      auctions.willEnd(auction);
    };
    return {
      run(claret) {
        // Once per app server: repeating it changes nothing.
        if (!known.has(claret)) {
          known.add(claret);
          return loadPeople(claret, PEOPLE);
        }
        const missing = Array.from({ length: AUCTIONS }, (_, rank) => rank).find((rank) => auctions.at(rank) === undefined);
        if (missing !== undefined) return open(missing, claret);
        // An app server that dies loses the auction that it was opening or closing.
        return chance.happens(0.03) ? open(chance.below(AUCTIONS), claret) : site.run(claret, chance.pick(KINDS));
      },
    };
  },
};
