import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { get } from './client.ts';
import { QueryCache, type QueryState } from './queryCache.ts';

export const queries = new QueryCache(get, () => performance.now());

export interface Query<Answer> extends QueryState<Answer> {
  reload(): void;
}

const NOTHING = () => () => {};

/** Reads `path` and keeps it for the page; null reads nothing. */
export function useQuery<Answer>(path: string | null): Query<Answer> {
  const subscribe = useCallback(
    (listener: () => void) => (path === null ? NOTHING() : queries.subscribe(path, listener)),
    [path],
  );
  const state = useSyncExternalStore(subscribe, () => queries.state<Answer>(path ?? ''));
  useEffect(() => {
    if (path !== null) void queries.load(path);
  }, [path]);
  const reload = useCallback(() => void (path !== null && queries.load(path, true)), [path]);
  return { ...state, reload };
}
