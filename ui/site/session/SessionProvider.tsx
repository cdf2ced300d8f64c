import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { SESSION_API } from '../api/addresses.ts';
import { get, post } from '../api/client.ts';
import { queries } from '../api/useQuery.ts';
import { SessionContext, type Session, type SessionApi } from './useSession.ts';

const RETRY_MS = 3_000;

/** `first`: the session, requested as early as the page could */
export function SessionProvider({ first, children }: { first: Promise<Session>; children: ReactNode }) {
  const [session, setSession] = useState<Session | null>(null);
  useEffect(() => {
    let timer = 0;
    let isGone = false;
    const hear = (answer: Promise<Session>): void => {
      answer.then(
        (told) => void (!isGone && setSession(told)),
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
