import { createContext, use } from 'react';

/** What every site knows of somebody who is logged in. */
export interface Somebody {
  id: string;
}

/** The server's answer to who is logged in; `dashboard_url`: where its cluster can be watched at work, if anywhere. */
export interface Session<Person extends Somebody = Somebody> {
  user: Person | null;
  dashboard_url?: string | null;
}

export interface SessionDoor<Person extends Somebody = Somebody, Login = unknown, Registration = unknown> {
  user: Person | null;
  /** False until the server has said who is logged in. */
  isKnown: boolean;
  dashboard_url: string | null;
  logIn(credentials: Login): Promise<void>;
  register(person: Registration): Promise<void>;
  logOut(): Promise<void>;
  /** Asks the server again who is logged in: something said that it is not who we think. */
  refresh(): Promise<void>;
}

export const SessionContext = createContext<SessionDoor | null>(null);

/** Who is logged in, and the ways in and out. A site says once whom it knows: `useSession<Person, Login, Registration>`. */
export function useSession<Person extends Somebody = Somebody, Login = unknown, Registration = unknown>() {
  const session = use(SessionContext);
  if (!session) throw new Error('useSession needs a SessionProvider above it');
  return session as SessionDoor<Person, Login, Registration>;
}
