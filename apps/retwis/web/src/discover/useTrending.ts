// What is trending, read again when the stream says that it has changed, and not more often than the cache allows.
import { type Query } from '@claret/ui/site';
import { useEffect } from 'react';
import type * as api from '../../../server/api.ts';
import { queries, useQuery } from '../api/door.ts';
import { API } from '../api/paths.ts';
import { useLiveTrending } from '../live/useLive.ts';

/** The cache does not read again what is newer than this. */
const AGAIN_MS = 5_100;

/** Whether those who look would see something else: another post, or another order. */
export function hasMoved(shown: readonly string[], now: readonly string[]): boolean {
  return shown.length !== now.length || shown.some((id, at) => id !== now[at]);
}

export function useTrending(): Query<api.Trending> {
  const query = useQuery<api.Trending>(API.trending);
  const heard = useLiveTrending();
  const { data } = query;
  const isOld = heard !== null && data !== null && hasMoved(data.posts.map(({ id }) => id), heard);
  useEffect(() => {
    if (!isOld) return;
    void queries.load(API.trending);
    const timer = window.setTimeout(() => void queries.load(API.trending), AGAIN_MS);
    return () => window.clearTimeout(timer);
  }, [isOld, heard]);
  return query;
}
