// GET /api/live?items=<id>,<id>,...   text/event-stream
//
// One stream per browser. `items` are the auctions on its visible pages (at most LIMITS.live_items_max, optional); a logged-in person's own
// standings and notices come on the same stream. Each event's `data` is one JSON object as below; its `event` is the name. Event ids are
// the server's time in ms: after a reconnect (Last-Event-ID) every state is sent again, and the missed notices. A viewer that reads slowly
// skips states and gets the newest.
import { Type } from 'typebox';

import { closed, type LiveItem, type Standing, type UserRef } from './common.ts';

export const LiveQuery = Type.Object({ items: Type.Optional(Type.String({ maxLength: 4_000 })) }, closed);

// event: hello, first on every connection. Items named in the query that do not exist are in `unknown_items`.
export type LiveHello = { server_time_ms: number; user: UserRef | null; items: string[]; unknown_items: string[] };
// event: item, at once for every item and after each change
export type LiveItemEvent = { server_time_ms: number; item: LiveItem };
// event: standing, at once for each open auction that the person takes part in, and after each change
export type LiveStandingEvent = { server_time_ms: number; standing: Standing };
// event: notice, once, when it happens. `sold`: to the winner at the end, or a purchase.
export type LiveNotice = {
  server_time_ms: number;
  // the same notice has the same id, also after a reconnect
  id: string;
  kind: 'outbid' | 'won' | 'lost' | 'sold' | 'unsold';
  item_id: string;
  title: string;
  price_cents: number;
  min_next_bid_cents: number;
  // outbid, lost: an earlier bid had the same maximum
  tied: boolean;
  at_ms: number;
};
// event: connection, when the store cannot be reached (earlier events may be stale) and when it can be again
export type LiveConnection = { server_time_ms: number; connected: boolean };

export type LiveEvents = {
  hello: LiveHello;
  item: LiveItemEvent;
  standing: LiveStandingEvent;
  notice: LiveNotice;
  connection: LiveConnection;
};
