// The writer's outgoing posts, one outbox per writer in this window. A post that the server has accepted appears on their timeline at once.
import { useSyncExternalStore } from 'react';
import type * as api from '../../../server/api.ts';
import { newKey, postWithKey } from '../api/client.ts';
import { API } from '../api/paths.ts';
import { withEntry } from '../posts/entries.ts';
import { entryPagesOf } from '../posts/useEntryPages.ts';
import { Outbox, type OutgoingPost } from './outbox.ts';

const outboxes = new Map<string, Outbox>();

export function outboxOf(writer: api.UserRef): Outbox {
  const known = outboxes.get(writer.id);
  if (known) return known;
  const outbox = new Outbox({
    send: (key, request) => postWithKey<api.Posted>(key, API.posts, request),
    newKey,
    storage: () => sessionStorage,
    name: `claret-timelines-outbox:${writer.id}`,
  });
  outbox.onOutcome((outcome) => {
    if (!('posted' in outcome)) return;
    for (const path of [API.timeline, API.userPosts(writer.username)])
      entryPagesOf(writer.id, path).change((pages) => withEntry(pages, outcome.posted.entry));
  });
  outboxes.set(writer.id, outbox);
  return outbox;
}

/** newest first */
export function useOutgoingPosts(writer: api.UserRef): readonly OutgoingPost[] {
  const outbox = outboxOf(writer);
  return useSyncExternalStore(outbox.subscribe, outbox.posts);
}
