// NewUser: registers a person under a free nickname.
//
// Two registrations of one nickname conflict at its Register: compareAndSet answers one of them false. Registrations of different nicknames
// do not conflict.
import type { Claret } from '@claret/client';
import type { Once } from '@claret/site/once.ts';

import { key } from '../model.ts';
import { refuse, type Outcome } from './outcome.ts';

export type NewUserInput = {
  nickname: string;
  region_id: string;
  // from auth/password.ts; null: logging in as this user is impossible
  credentials: string | null;
  created_at_ms: number;
};

// `once`: options of the transaction; sent again with the same id, it returns the same person.
export function newUser(claret: Claret, input: NewUserInput, once: Once = {}): Promise<Outcome<{ user_id: string }, 'nickname_taken'>> {
  return claret.transaction(
    'NewUser',
    async (tx) => {
      const user_id = tx.newId();
      const mine = await tx.register(key.nickname(input.nickname)).compareAndSet(null, user_id);
      if (!mine) return refuse('nickname_taken');
      tx.dict(key.profile(user_id)).set({
        nickname: input.nickname,
        region: input.region_id,
        created_at_ms: input.created_at_ms,
      });
      if (input.credentials !== null) tx.register(key.credentials(user_id)).set(input.credentials);
      return { refused: null, user_id };
    },
    once,
  );
}
