// All that the page of one auction is made of, in one answer.
import { Type, type Static } from 'typebox';

import { ItemView } from './auction.ts';
import { closed, CommentView, nullable, RatingSummary } from './common.ts';
import { Inbox } from './people.ts';
import { Catalogue, Session } from './session.ts';

// GET /api/items/:item_id/page?opened=&visit=   opened=1: the page was opened, which counts as a view; needs CSRF_HEADER. visit=1: it is the
// first page of a visit.
export const AuctionPageQuery = Type.Object({ opened: Type.Optional(Type.Literal('1')), visit: Type.Optional(Type.Literal('1')) }, closed);
export type AuctionPageQuery = Static<typeof AuctionPageQuery>;

// `comments`: about this sale, newest first
export const SellerView = Type.Object({ rating: RatingSummary, comments: Type.Array(CommentView) });
export type SellerView = Static<typeof SellerView>;

export const AuctionPage = Type.Object({
  ...ItemView.properties,
  // null: could not be read in time
  seller: nullable(SellerView),
  // the part that the page needs
  catalogue: Type.Pick(Catalogue, ['categories', 'regions', 'increments']),
  // how often it was opened, this time included; null: not asked to count, or not told in time
  views: nullable(Type.Integer()),
  // what every page of a visit needs; null: not asked for
  visit: nullable(
    Type.Object({
      session: Session,
      // as GET /api/conditions
      unusual: nullable(Type.String()),
      // as GET /api/me/inbox?unread=1; null: logged out, or could not be read in time
      inbox: nullable(Inbox),
    }),
  ),
});
export type AuctionPage = Static<typeof AuctionPage>;
