// NewUser: registers a person under a free username.
//
// Two registrations of one username conflict at its Register: compareAndSet answers one of them false. Registrations of different usernames
// do not conflict: adding to the list of newest people commutes.
import type { Claret } from '@claret/client';
import type { Once } from '@claret/site/once.ts';

import { key } from '../model.ts';
import { refuse, type Outcome } from './outcome.ts';

export type NewUserInput = {
  username: string;
  /** the stored form of the password; null: logging in as this user is impossible */
  credentials: string | null;
  joined_at_ms: number;
};

/** `once`: options of the transaction; sent again with the same id, it returns the same person. */
export function newUser(claret: Claret, input: NewUserInput, once: Once = {}): Promise<Outcome<{ user_id: string }, 'username_taken'>> {
  const { username, credentials, joined_at_ms } = input;
  return claret.transaction(
    'NewUser',
    async (tx) => {
      const user_id = tx.newId();
      if (!(await tx.register(key.username(username)).compareAndSet(null, user_id))) return refuse('username_taken');
      tx.dict(key.profile(user_id)).set({ username, joined_at_ms });
      if (credentials !== null) tx.register(key.credentials(user_id)).set(credentials);
      tx.topK(key.newest_users).add(user_id, joined_at_ms);
      return { refused: null, user_id };
    },
    once,
  );
}
