// The live stream of a page: live/viewer.ts decides what it says, live/stream.ts how.
import type { FastifyRequest } from 'fastify';

import { LIMITS, LiveQuery } from '../api.ts';
import { personOf } from '../auth/person.ts';
import { EventStream } from '../live/stream.ts';
import { Viewer } from '../live/viewer.ts';
import { RequestProblem } from '../problem.ts';
import type { App, Services } from '../services.ts';

const STREAMS_MAX = 5_000;
const ID_PATTERN = /^[0-9A-Za-z_.-]{1,64}$/;

export function liveRoutes(app: App, { claret, items }: Services): void {
  const streams = new Set<EventStream>();
  // Before connections are waited for: streams never end by themselves.
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.close();
  });

  app.get('/live', { schema: { querystring: LiveQuery } }, async (request, reply) => {
    const item_ids = itemIds(request.query.items);
    if (streams.size >= STREAMS_MAX) throw new RequestProblem('too_many_streams', { retry_after_s: 30 });
    const user = await personOf(claret, request);
    const seen_until_ms = lastEventId(request);
    const known = await Promise.all(item_ids.map((item_id) => exists(item_id)));
    if (request.socket.destroyed) return reply.hijack();

    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value);
    const stream = new EventStream(reply.raw);
    streams.add(stream);
    stream.state('hello', '', {
      server_time_ms: Date.now(),
      user: user === null ? null : { id: user.id, nickname: user.nickname },
      items: item_ids.filter((_, i) => known[i]),
      unknown_items: item_ids.filter((_, i) => !known[i]),
    });
    const shown = item_ids.filter((_, i) => known[i]);
    const viewer = new Viewer(claret, items, stream, { item_ids: shown, user, seen_until_ms });
    stream.onClose(() => {
      streams.delete(stream);
      viewer.close();
    });
  });

  // An item that the store does not tell of in time is taken for known: its state comes when the store does.
  async function exists(item_id: string): Promise<boolean> {
    return items.peek(item_id).then((auction) => auction !== null, () => true);
  }
}

function itemIds(text: string | undefined): string[] {
  const ids = [...new Set((text ?? '').split(',').filter((id) => id !== ''))];
  const fits = ids.length <= LIMITS.live_items_max && ids.every((id) => ID_PATTERN.test(id));
  if (!fits) throw new RequestProblem('invalid_input', { field: 'items', detail: 'That is not a list of auctions.' });
  return ids;
}

function lastEventId(request: FastifyRequest): number | null {
  const header = request.headers['last-event-id'];
  const time = typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : null;
  // From the future: another server's clock, or an invention.
  return time === null ? null : Math.min(time, Date.now());
}
