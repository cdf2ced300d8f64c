import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { SESSION_API } from '../api/addresses.ts';
import { get, post } from '../api/client.ts';
import { queries } from '../api/useQuery.ts';
import { SessionContext, type Session, type SessionDoor } from './useSession.ts';

const RETRY_MS = 3_000;

export function SessionProvider({ children }: { children: ReactNode }) {
  const [session, setSession] = useState<Session | null>(null);
  useEffect(() => {
    let timer = 0;
    let isGone = false;
    const ask = () =>
      get<Session>(SESSION_API.session).then(
        (answer) => void (!isGone && setSession(answer)),
        () => void (!isGone && (timer = window.setTimeout(ask, RETRY_MS))),
      );
    void ask();
    return () => {
      isGone = true;
      window.clearTimeout(timer);
    };
  }, []);
  const door = useMemo<SessionDoor>(() => {
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
  return <SessionContext value={door}>{children}</SessionContext>;
}
