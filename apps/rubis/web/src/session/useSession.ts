import { createContext, use } from 'react';
import type * as api from '../../../server/api.ts';

export interface SessionDoor {
  user: api.Session['user'];
  /** False until the server has said who is logged in. */
  isKnown: boolean;
  logIn(credentials: api.LoginRequest): Promise<void>;
  register(person: api.RegisterRequest): Promise<void>;
  logOut(): Promise<void>;
  /** Asks the server again who is logged in: something said that it is not who we think. */
  refresh(): Promise<void>;
}

export const SessionContext = createContext<SessionDoor | null>(null);

/** Who is logged in, and the ways in and out. */
export function useSession(): SessionDoor {
  const session = use(SessionContext);
  if (!session) throw new Error('useSession needs a SessionProvider above it');
  return session;
}
