import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { SESSION_API } from '../api/addresses.ts';
import { get, post } from '../api/client.ts';
import { queries } from '../api/useQuery.ts';
import { SessionContext, type Session, type SessionApi } from './useSession.ts';

const RETRY_MS = 3_000;

export interface SessionProviderProps {
  /** the session, requested as early as the page could */
  first: Promise<Session>;
  /** the same, if it is there already */
  known: Session | null;
  children: ReactNode;
}

export function SessionProvider({ first, known, children }: SessionProviderProps) {
  const [session, setSession] = useState(known);
  useEffect(() => {
    let timer = 0;
    let isGone = false;
    const hear = (answer: Promise<Session>): void => {
      answer.then(
        // At once: a page whose data comes with the session is shown to its visitor, and not to a stranger first.
        (told) => void (!isGone && flushSync(() => setSession(told))),
        () => void (!isGone && (timer = window.setTimeout(() => hear(get<Session>(SESSION_API.session)), RETRY_MS))),
      );
    };
    hear(first);
    return () => {
      isGone = true;
      window.clearTimeout(timer);
    };
  }, [first]);
  const api = useMemo<SessionApi>(() => {
    const become = (next: Session) => {
      setSession(next);
      queries.clear();
    };
    const enter = async (path: string, body?: unknown) => become(await post<Session>(path, body));
    return {
      user: session?.user ?? null,
      isKnown: session !== null,
      dashboard_url: session?.dashboard_url ?? null,
      logIn: (credentials) => enter(SESSION_API.login, credentials),
      register: (person) => enter(SESSION_API.register, person),
      logOut: () => enter(SESSION_API.logout),
      refresh: () => get<Session>(SESSION_API.session).then(become, () => {}),
    };
  }, [session]);
  return <SessionContext value={api}>{children}</SessionContext>;
}
