// After login, navigates to the page that the visitor came from, or home.
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { safeNext } from '../api/addresses.ts';
import { useSession } from './useSession.ts';

/** The page that the visitor came from; undefined if there is none. */
export function useLoginRedirect(): string | undefined {
  const { user } = useSession();
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const next = query.get('next');
  useEffect(() => {
    if (user) void navigate(safeNext(next), { replace: true });
  }, [user, next, navigate]);
  return next ?? undefined;
}
