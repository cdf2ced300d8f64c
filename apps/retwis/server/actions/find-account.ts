// FindAccount: what logging in needs of the person with a username.
import type { Claret } from '@claret/client';

import type { UserRef } from '../api.ts';
import { key } from '../model.ts';

export type Account = { person: UserRef; credentials: string | null };

/** Null: nobody has this username. */
export function findAccount(claret: Claret, input: { username: string }): Promise<Account | null> {
  return claret.transaction('FindAccount', async (tx) => {
    const user_id = await tx.register(key.username(input.username)).get();
    if (typeof user_id !== 'string') return null;
    const [[username], credentials] = await Promise.all([
      tx.dict(key.profile(user_id)).get('username'),
      tx.register(key.credentials(user_id)).get(),
    ]);
    return {
      person: { id: user_id, username: String(username) },
      credentials: typeof credentials === 'string' ? credentials : null,
    };
  });
}
