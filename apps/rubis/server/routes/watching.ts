// The watch list and the inbox.
import type { App } from '@claret/site/http.ts';
import type { Claret } from '@claret/client';
import type { FastifyRequest } from 'fastify';

import type { Person } from '../actions/find-account.ts';
import { markInboxSeen, readInbox, readUnread } from '../actions/inbox.ts';
import { unwatchItem, watchItem, type WatchInput } from '../actions/watch.ts';
import { Inbox, InboxQuery, InboxSeen, InboxSeenRequest, ItemParams, WatchAnswer } from '../api.ts';
import { key } from '../model.ts';
import { RequestProblem } from '../problem.ts';
import type { Services } from '../services.ts';
import { sessions } from '../sessions.ts';

export function watchingRoutes(app: App, services: Services): void {
  const { items } = services;
  const schema = { params: ItemParams, response: { 200: WatchAnswer } };
  const act = async (request: FastifyRequest<{ Params: ItemParams }>): Promise<{ claret: Claret; input: WatchInput }> => {
    const { person, claret } = await sessions.act(request);
    const { item_id } = request.params;
    const seen = items.known(item_id);
    return { claret, input: { item_id, user_id: person.id, ...(seen && { seen: seen.info }) } };
  };

  app.put('/items/:item_id/watch', { schema }, async (request) => {
    const { claret, input } = await act(request);
    const now_ms = request.claret.clock.nowMs(key.item_info(input.item_id));
    const watched = await watchItem(claret, { ...input, now_ms });
    if (watched.refused !== null) throw new RequestProblem(watched.refused);
    return { watching: true, watchers: await watchersOf(request.claret, input) };
  });

  app.delete('/items/:item_id/watch', { schema }, async (request) => {
    const { claret, input } = await act(request);
    const unwatched = await unwatchItem(claret, input);
    if (unwatched.refused !== null) throw new RequestProblem(unwatched.refused);
    return { watching: false, watchers: await watchersOf(request.claret, input) };
  });

  app.get('/me/inbox', { schema: { querystring: InboxQuery, response: { 200: Inbox } } }, async (request) => {
    const person = await sessions.requirePerson(request);
    if (request.query.unread === '1') return unreadInbox(request, services, person);
    const now_ms = request.claret.clock.nowMs();
    return { ...(await readInbox(request.claret, { user_id: person.id, now_ms })), server_time_ms: now_ms };
  });

  app.post('/me/inbox/seen', { schema: { body: InboxSeenRequest, response: { 200: InboxSeen } } }, async (request) => {
    const { id } = await sessions.requirePerson(request);
    const now_ms = request.claret.clock.nowMs();
    // A time in the future would hide later notices.
    const until_ms = Math.min(request.body.until_ms, now_ms);
    return { seen_until_ms: await markInboxSeen(request.claret, { user_id: id, until_ms }), server_time_ms: now_ms };
  });
}

export async function unreadInbox({ claret }: FastifyRequest, { items }: Services, { id: user_id }: Person): Promise<Inbox> {
  const now_ms = claret.clock.nowMs();
  return { ...(await readUnread(claret, items, { user_id, now_ms })), server_time_ms: now_ms };
}

async function watchersOf(claret: Claret, { item_id }: WatchInput): Promise<number> {
  const [watchers] = await claret.transact('Watchers', [claret.on.set(key.item_watchers(item_id)).size()]);
  return Number(watchers);
}
