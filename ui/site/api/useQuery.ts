import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { pageCosts } from '../cost/pageCosts.ts';
import { get } from './client.ts';
import { QueryCache, type QueryState } from './queryCache.ts';

/** the cache of this window */
export const queries = new QueryCache(get, () => performance.now());

export interface Query<Answer, Code extends string = string> extends QueryState<Answer, Code> {
  /** Reads again, however new the answer is; settles when it has arrived. */
  reload(): Promise<void>;
}

const NOTHING = () => () => {};

/** Reads `path` and caches the answer; null reads nothing. */
export function useQuery<Answer, Code extends string = string>(path: string | null): Query<Answer, Code> {
  const subscribe = useCallback((listener: () => void) => (path === null ? NOTHING() : queries.subscribe(path, listener)), [path]);
  const state = useSyncExternalStore(subscribe, () => queries.state<Answer, Code>(path ?? ''));
  useEffect(() => {
    if (path === null) return;
    pageCosts.show(path);
    void queries.load(path);
  }, [path]);
  const reload = useCallback(async () => {
    if (path !== null) await queries.load(path, true);
  }, [path]);
  return { ...state, reload };
}
