// FindAccount: what logging in needs of the person with a nickname.
import type { Claret } from '@claret/client';

import { key } from '../model.ts';

export type Person = { id: string; nickname: string; region_id: string };

export type Account = { person: Person; credentials: string | null };

// No account's id.
const NOBODY = '-';

// Null: nobody has this nickname.
export function findAccount(claret: Claret, input: { nickname: string }): Promise<Account | null> {
  return claret.transaction('FindAccount', async (tx) => {
    const user_id = await tx.register(key.nickname(input.nickname)).get();
    // Who has no account costs as much as who has one: a visitor is told what a request's transactions cost.
    const account_id = typeof user_id === 'string' ? user_id : NOBODY;
    const [[nickname, region], credentials] = await Promise.all([
      tx.dict(key.profile(account_id)).get('nickname', 'region'),
      tx.register(key.credentials(account_id)).get(),
    ]);
    if (account_id === NOBODY) return null;
    return {
      person: { id: account_id, nickname: String(nickname), region_id: String(region) },
      credentials: typeof credentials === 'string' ? credentials : null,
    };
  });
}
