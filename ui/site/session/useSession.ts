import { createContext, use } from 'react';

/** the properties of a logged-in person on every site */
export interface SessionUser {
  id: string;
}

/** The server's answer about the session; `dashboard_url`: the cluster's dashboard, if there is one. */
export interface Session<Person extends SessionUser = SessionUser> {
  user: Person | null;
  dashboard_url?: string | null;
}

export interface SessionApi<Person extends SessionUser = SessionUser, Login = unknown, Registration = unknown> {
  user: Person | null;
  /** false until the server has answered who is logged in */
  isKnown: boolean;
  dashboard_url: string | null;
  logIn(credentials: Login): Promise<void>;
  register(person: Registration): Promise<void>;
  logOut(): Promise<void>;
  /** Asks the server again who is logged in, after a sign that it has changed. */
  refresh(): Promise<void>;
}

export const SessionContext = createContext<SessionApi | null>(null);

/** The session, with login and logout. A site fixes the types once: `useSession<Person, Login, Registration>`. */
export function useSession<Person extends SessionUser = SessionUser, Login = unknown, Registration = unknown>() {
  const session = use(SessionContext);
  if (!session) throw new Error('useSession needs a SessionProvider above it');
  return session as SessionApi<Person, Login, Registration>;
}
