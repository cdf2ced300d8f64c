// FindAccount: what logging in needs of the person with a username.
import type { Claret } from '@claret/client';

import type { UserRef } from '../api.ts';
import { key } from '../model.ts';

export type Account = { person: UserRef; credentials: string | null };

// No account's id.
const NOBODY = '-';

/** Null: nobody has this username. */
export function findAccount(claret: Claret, input: { username: string }): Promise<Account | null> {
  return claret.transaction('FindAccount', async (tx) => {
    const user_id = await tx.register(key.username(input.username)).get();
    // Who has no account costs as much as who has one: a visitor is told what a request's transactions cost.
    const account_id = typeof user_id === 'string' ? user_id : NOBODY;
    const [[username], credentials] = await Promise.all([
      tx.dict(key.profile(account_id)).get('username'),
      tx.register(key.credentials(account_id)).get(),
    ]);
    if (account_id === NOBODY) return null;
    return {
      person: { id: account_id, username: String(username) },
      credentials: typeof credentials === 'string' ? credentials : null,
    };
  });
}
