// The content of one live stream: the lists, posts and people that its page shows.
import type { Claret } from '@claret/client';
import type { EventStream } from '@claret/site/live/stream.ts';
import { sendConnectionState } from '@claret/site/live/streams.ts';

import type { LiveEvents } from '../api.ts';
import type { LiveTopics } from './topics.ts';

export type ViewerInput = {
  /** the person whose timeline is shown; null: none */
  timeline_of: string | null;
  latest: boolean;
  trending: boolean;
  posts: readonly string[];
  users: readonly string[];
};

/** Returns a function that ends it. */
export function startViewer(claret: Claret, topics: LiveTopics, stream: EventStream<LiveEvents>, input: ViewerInput): () => void {
  const shown = [
    ...(input.timeline_of === null ? [] : [topics.timeline(input.timeline_of)]),
    ...(input.latest ? [topics.latest()] : []),
    ...(input.trending ? [topics.trending()] : []),
    ...input.posts.map((post_id) => topics.post(post_id)),
    ...input.users.map((user_id) => topics.user(user_id)),
  ];
  const ends = [sendConnectionState(claret, stream), ...shown.map((topic) => stream.show(topic))];
  return () => ends.forEach((end) => end());
}
