// What one came to an auction's page for is in its address (`?do=bid`), so that logging in on the way leads back to it.
import { useEffect, useEffectEvent } from 'react';
import { useSearchParams } from 'react-router';
import type { Todo } from '../api/paths.ts';

const NAME = 'do';

/**
 * Does it once when the page was opened for it and it can be done (null: it cannot yet), and takes it out of the address: loading the page again
 * does not repeat it.
 */
export function useTodo(what: Todo | null, begin: () => void): void {
  const [query, setQuery] = useSearchParams();
  const isWanted = what !== null && query.get(NAME) === what;
  const start = useEffectEvent(() => {
    begin();
    setQuery(
      (before) => {
        before.delete(NAME);
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  });
  useEffect(() => {
    if (!isWanted) return;
    const timer = window.setTimeout(start); // after a new page has taken the focus
    return () => window.clearTimeout(timer);
  }, [isWanted]);
}
