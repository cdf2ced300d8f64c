// FindAccount: what logging in needs of the person with a nickname.
import type { Claret } from '@claret/client';

import { key } from '../model.ts';

export type Person = { id: string; nickname: string; region_id: string };

export type Account = { person: Person; credentials: string | null };

// Null: nobody has this nickname.
export function findAccount(claret: Claret, input: { nickname: string }): Promise<Account | null> {
  return claret.transaction('FindAccount', async (tx) => {
    const user_id = await tx.register(key.nickname(input.nickname)).get();
    if (typeof user_id !== 'string') return null;
    const [[nickname, region], credentials] = await Promise.all([
      tx.dict(key.profile(user_id)).get('nickname', 'region'),
      tx.register(key.credentials(user_id)).get(),
    ]);
    return {
      person: { id: user_id, nickname: String(nickname), region_id: String(region) },
      credentials: typeof credentials === 'string' ? credentials : null,
    };
  });
}
