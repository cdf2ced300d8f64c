// FindAccount: the data that login needs about a username.
import type { Claret } from '@claret/client';

import type { UserRef } from '../api.ts';
import { key } from '../model.ts';

export type Account = { person: UserRef; credentials: string | null };

// an id that no account has
const NO_ACCOUNT = '-';

/** Null: the username does not exist. */
export function findAccount(claret: Claret, input: { username: string }): Promise<Account | null> {
  return claret.transaction('FindAccount', async (tx) => {
    const user_id = await tx.register(key.username(input.username)).get();
    // An unknown username costs as much as a known one, since a visitor sees the cost of a request's transactions.
    const account_id = typeof user_id === 'string' ? user_id : NO_ACCOUNT;
    const [[username], credentials] = await Promise.all([
      tx.dict(key.profile(account_id)).get('username'),
      tx.register(key.credentials(account_id)).get(),
    ]);
    if (account_id === NO_ACCOUNT) return null;
    return {
      person: { id: account_id, username: String(username) },
      credentials: typeof credentials === 'string' ? credentials : null,
    };
  });
}
