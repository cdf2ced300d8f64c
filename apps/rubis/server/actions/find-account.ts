// FindAccount: the data that login needs about a nickname.
import type { Claret } from '@claret/client';

import { key } from '../model.ts';

export type Person = { id: string; nickname: string; region_id: string };

export type Account = { person: Person; credentials: string | null };

// an id that no account has
const NO_ACCOUNT = '-';

// Null: the nickname does not exist.
export function findAccount(claret: Claret, input: { nickname: string }): Promise<Account | null> {
  return claret.transaction('FindAccount', async (tx) => {
    const user_id = await tx.register(key.nickname(input.nickname)).get();
    // An unknown nickname costs as much as a known one, since a visitor sees the cost of a request's transactions.
    const account_id = typeof user_id === 'string' ? user_id : NO_ACCOUNT;
    const [[nickname, region], credentials] = await Promise.all([
      tx.dict(key.profile(account_id)).get('nickname', 'region'),
      tx.register(key.credentials(account_id)).get(),
    ]);
    if (account_id === NO_ACCOUNT) return null;
    return {
      person: { id: account_id, nickname: String(nickname), region_id: String(region) },
      credentials: typeof credentials === 'string' ? credentials : null,
    };
  });
}
