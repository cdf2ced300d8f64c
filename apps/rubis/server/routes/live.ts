// The live stream of a page; live/viewer.ts decides its content.
import type { App } from '@claret/site/http.ts';
import { EventStreams, idList, lastEventTimeMs } from '@claret/site/live/streams.ts';

import { LIMITS, LiveQuery, type LiveEvents } from '../api.ts';
import { Viewer } from '../live/viewer.ts';
import { RequestProblem } from '../problem.ts';
import type { Services } from '../services.ts';
import { sessions } from '../sessions.ts';

const IDS = { pattern: /^[0-9A-Za-z_.-]{1,64}$/, count_max: LIMITS.live_items_max };

export function liveRoutes(app: App, { claret, items }: Services): void {
  const streams = new EventStreams<LiveEvents>(app, claret.clock);

  app.get('/live', { schema: { querystring: LiveQuery } }, async (request, reply) => {
    const item_ids = idList('items', request.query.items, IDS);
    streams.refuseWhenFull(request);
    if (!items.hasRoomFor(item_ids)) throw new RequestProblem('too_many_streams', { retry_after_s: 30 });
    const user = await sessions.personOf(request);
    const known = await Promise.all(item_ids.map((item_id) => exists(item_id)));
    const stream = streams.open(request, reply);
    if (stream === null) return;

    const shown = item_ids.filter((_, i) => known[i]);
    stream.state('hello', '', {
      server_time_ms: claret.clock.nowMs(),
      user: user === null ? null : { id: user.id, nickname: user.nickname },
      items: shown,
      unknown_items: item_ids.filter((_, i) => !known[i]),
    });
    const viewer = new Viewer(claret, items, stream, { item_ids: shown, user, seen_until_ms: lastEventTimeMs(request) });
    // Standings are private: once their owner has logged out, on whichever server, the page has to ask again who is logged in.
    const endWaiting = user === null ? null : sessions.onEnd(claret, request, () => stream.close());
    stream.onClose(() => {
      viewer.close();
      endWaiting?.();
    });
  });

  // If the store does not answer in time, the item counts as existing: its state arrives when the store answers.
  async function exists(item_id: string): Promise<boolean> {
    return items.peek(item_id).then(
      (auction) => auction !== null,
      () => true,
    );
  }
}
