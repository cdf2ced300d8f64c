// GET /api/live: the events `hello` and `item`.
import { LIMITS, LiveQuery, type LiveEvents } from '../../apps/rubis/server/api.ts';
import type { App } from '../../apps/site/http.ts';
import { EventStream } from '../../apps/site/live/stream.ts';
import { LiveAuctions } from './live.ts';
import { Refused } from './problems.ts';
import type { AuctionStore } from './store.ts';
import { personOf } from './visitors.ts';

const ID = /^[0-9A-Za-z_.-]{1,64}$/;

export function liveRoute(app: App, store: AuctionStore): void {
  const auctions = new LiveAuctions(store);
  const streams = new Set<EventStream<LiveEvents>>();
  // Before the server waits for connections to end: streams never end by themselves.
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.close();
  });

  app.get('/live', { schema: { querystring: LiveQuery } }, async (request, reply) => {
    const ids = [...new Set((request.query.items ?? '').split(',').filter((id) => id !== ''))];
    if (ids.length > LIMITS.live_items_max || !ids.every((id) => ID.test(id))) throw new Refused('invalid_input', { field: 'items' });
    const user = await personOf(store, request);
    const found = await Promise.all(ids.map((id) => auctions.auction(id)));
    const shown = found.filter((one) => one !== null);
    reply.hijack();
    if (request.socket.destroyed) {
      for (const one of shown) one.follow(() => undefined)(); // ends those that no one else follows
      return;
    }
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value);
    const stream = new EventStream<LiveEvents>(reply.raw, Date.now, () => streams.size);
    streams.add(stream);
    stream.state('hello', '', {
      server_time_ms: Date.now(),
      user: user === null ? null : { id: user.id, nickname: user.nickname },
      items: ids.filter((_, i) => found[i] !== null),
      unknown_items: ids.filter((_, i) => found[i] === null),
    });
    const ends = shown.map((one) => stream.show(one));
    stream.onClose(() => {
      streams.delete(stream);
      for (const end of ends) end();
    });
  });
}
