// Where somebody goes once they are logged in: the page that sent them here, or home. They go by themselves.
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { safeNext } from '../api/addresses.ts';
import { useSession } from './useSession.ts';

/** The page that sent them here; undefined if none did. */
export function useWayOn(): string | undefined {
  const { user } = useSession();
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const next = query.get('next');
  useEffect(() => {
    if (user) void navigate(safeNext(next), { replace: true });
  }, [user, next, navigate]);
  return next ?? undefined;
}
