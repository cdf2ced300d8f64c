import { useEffect, useMemo, useState, type ReactNode } from 'react';
import type * as api from '../../../server/api.ts';
import { get, post } from '../api/client.ts';
import { API } from '../api/paths.ts';
import { queries } from '../api/useQuery.ts';
import { SessionContext, type SessionDoor } from './useSession.ts';

const RETRY_MS = 3_000;

export function SessionProvider({ children }: { children: ReactNode }) {
  const [session, setSession] = useState<api.Session | null>(null);
  useEffect(() => {
    let timer = 0;
    let isGone = false;
    const ask = () =>
      get<api.Session>(API.session).then(
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
    const become = (next: api.Session) => {
      setSession(next);
      queries.clear();
    };
    const enter = async (path: string, body?: unknown) => become(await post<api.Session>(path, body));
    return {
      user: session?.user ?? null,
      isKnown: session !== null,
      logIn: (credentials) => enter(API.login, credentials),
      register: (person) => enter(API.register, person),
      logOut: () => enter(API.logout),
      refresh: () => get<api.Session>(API.session).then(become, () => {}),
    };
  }, [session]);
  return <SessionContext value={door}>{children}</SessionContext>;
}
