// For tests: a real cluster of two shards in this process, with a short way to people.
import { inProcessCluster } from '@claret/client/testing';
import type { Claret } from '@claret/client';

import { newUser } from '../actions/new-user.ts';
import type { UserRef } from '../api.ts';

export type World = {
  claret: Claret;
  person: (username: string) => Promise<UserRef>;
  stop: () => Promise<void>;
};

export async function startWorld(): Promise<World> {
  const cluster = await inProcessCluster({ shards: 2 });
  const claret = await cluster.connect({ name: 'test' });
  return {
    claret,
    async person(username) {
      const created = await newUser(claret, { username, credentials: null, joined_at_ms: Date.now() });
      if (created.refused !== null) throw new Error(created.refused);
      return { id: created.user_id, username };
    },
    stop: () => cluster.stop(),
  };
}
