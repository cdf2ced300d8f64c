// Famous people on top of the graph, each with the given number of followers. People with even numbers follow every famous person
// with enough followers, so that some ordinary people follow and others do not.

import type { Claret, Description } from '@claret/client';
import { key } from '../../../apps/retwis/server/model.ts';
import { EPOCH_MS, person, type Person } from '../../workloads/retwis-data.ts';
import { writeAll } from '../../workloads/writing.ts';

export const famous = (followers: number): Person => ({ id: `famous${followers}`, username: `famous${followers}` });

/** The followers of the famous person in a graph with this many users. */
export function* followersOf(followers: number, users: number): Generator<string> {
  const ordinary = Math.min(followers, users / 2);
  for (let i = 0; i < ordinary; i++) yield person(2 * i).id;
  for (let i = ordinary; i < followers; i++) yield `fan${i}`;
}

export async function loadFamous(claret: Claret, counts: readonly number[], users: number): Promise<void> {
  await writeAll(claret, writesOf(claret, counts, users));
}

function* writesOf({ on }: Claret, counts: readonly number[], users: number): Generator<Description<unknown>> {
  for (const count of counts) {
    const { id, username } = famous(count);
    yield on.dict(key.profile(id)).set({ username, joined_at_ms: EPOCH_MS });
    for (const follower of followersOf(count, users)) {
      yield on.set(key.followers(id)).add(follower);
      yield on.set(key.following(follower)).add(id);
    }
  }
}
