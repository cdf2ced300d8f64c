// The action for which an auction's page was opened is in its URL (`?do=bid`), so that logging in leads back to it.
import { useEffect, useEffectEvent } from 'react';
import { useSearchParams } from 'react-router';
import type { Todo } from '../api/paths.ts';

const NAME = 'do';

/**
 * Starts the action once if the page was opened for it and it is possible (null: not yet), and removes it from the URL, so that a reload
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
