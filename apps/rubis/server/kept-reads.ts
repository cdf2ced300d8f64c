// The reads of pages, from memory as long as the store promises their results (site/kept.ts).
//
// Each auction of a list is a value of its own: a bid on one leaves the others in memory, and a list on which one auction is hot is no
// worse than its hot auction.
import { kept } from '@claret/site/kept.ts';
import type { FastifyRequest } from 'fastify';

import { storeReads, type Reads } from './actions/reads.ts';
import type { Computations } from './computations.ts';

export function keptReads(request: FastifyRequest, of: Computations): Reads {
  return {
    auction: (item_id) => kept(request, 'ViewAuction', of.auction, [item_id], (claret) => storeReads(claret).auction(item_id)),
    stock: (item_id, counts) =>
      kept(request, 'ViewStock', of.stock, [item_id, counts], (claret) => storeReads(claret).stock(item_id, counts)),
    card: (label, item_id) => kept(request, label, of.card, [item_id], (claret) => storeReads(claret).card(label, item_id)),
    entries: (label, list, start) =>
      kept(request, label, of.entries, [list, start], (claret) => storeReads(claret).entries(label, list, start)),
    openCount: (list) => kept(request, 'OpenCount', of.openCount, [list], (claret) => storeReads(claret).openCount(list)),
    user: (user_id, start) => kept(request, 'ViewUser', of.user, [user_id, start], (claret) => storeReads(claret).user(user_id, start)),
    reputation: (user_id, since_ms) =>
      kept(request, 'ViewSeller', of.reputation, [user_id, since_ms], (claret) => storeReads(claret).reputation(user_id, since_ms)),
  };
}
