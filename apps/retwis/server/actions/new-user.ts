// NewUser: a person joins under a username that nobody has.
//
// Two people who want one username at once meet at its Register: compareAndSet answers one of them false. People with
// different usernames meet nowhere: asking for an id commutes with asking for an id, and so does joining the list.
import type { Claret } from '@claret/client';

import { key } from '../model.ts';
import { refuse, type Outcome } from './outcome.ts';

export type NewUserInput = {
  username: string;
  /** what the site keeps of the password; null: nobody can log in as this user */
  credentials: string | null;
  joined_at_ms: number;
};

/** `once`: of the transaction; sent again with its id, it is the same person who joins. */
export function newUser(
  claret: Claret,
  input: NewUserInput,
  once: { id?: string } = {},
): Promise<Outcome<{ user_id: string }, 'username_taken'>> {
  const { username, credentials, joined_at_ms } = input;
  return claret.transaction(
    'NewUser',
    async (tx) => {
      const user_id = await tx.uidGenerator(key.user_ids).next();
      if (!(await tx.register(key.username(username)).compareAndSet(null, user_id))) return refuse('username_taken');
      tx.dict(key.profile(user_id)).set({ username, joined_at_ms });
      if (credentials !== null) tx.register(key.credentials(user_id)).set(credentials);
      tx.topK(key.newest_users).add(user_id, joined_at_ms);
      return { refused: null, user_id };
    },
    once,
  );
}
