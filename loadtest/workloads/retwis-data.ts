// The initial data of retwis: people, follows, and one post of each person on the timelines of all followers. So timelines are not
// empty at first, and do not fill during the run. The data is written directly into the records, many operations per message.

import type { Claret, Description } from '@claret/client';
import { key, scoreAt } from '../../apps/retwis/server/model.ts';
import type { Graph } from '../../apps/retwis/server/data/graph.ts';
import { writeAll } from './writing.ts';

export const EPOCH_MS = 1_500_000_000_000;
const USERS_TOLD = 4_096;

export interface Person {
  id: string;
  username: string;
}

const PEOPLE: Person[] = [];

/** The person with that number; always the same object, which avoids allocations for each transaction. */
export function person(number: number): Person {
  while (PEOPLE.length <= number) PEOPLE.push({ id: `u${PEOPLE.length}`, username: `u${PEOPLE.length}` });
  return PEOPLE[number]!;
}

const loadedPost = (author: number) => `l${author}`;

export async function loadGraph(claret: Claret, graph: Graph, onProgress: (done: number, total: number) => void): Promise<void> {
  await writeAll(claret, writesOf(claret, graph, onProgress));
  onProgress(graph.users, graph.users);
}

function* writesOf(
  { on }: Claret,
  { users, followers }: Graph,
  onProgress: (done: number, total: number) => void,
): Generator<Description<unknown>> {
  for (let number = 0; number < users; number++) {
    if (number % USERS_TOLD === 0) onProgress(number, users);
    const { id, username } = person(number);
    const post_id = loadedPost(number);
    const at_ms = EPOCH_MS + number;
    yield on.dict(key.profile(id)).set({ username, joined_at_ms: EPOCH_MS });
    yield on.dict(key.post_info(post_id)).set({ author_id: id, author_username: username, text: 'The first.', posted_at_ms: at_ms });
    yield on.scoredSet(key.posts(id)).add(post_id, scoreAt(at_ms));
    yield on.scoredSet(key.timeline(id)).add(post_id, scoreAt(at_ms));
    const own = on.set(key.followers(id));
    for (const other of followers[number]!) {
      const follower = person(other).id;
      yield own.add(follower);
      yield on.set(key.following(follower)).add(id);
      yield on.scoredSet(key.timeline(follower)).add(post_id, scoreAt(at_ms));
    }
  }
}
