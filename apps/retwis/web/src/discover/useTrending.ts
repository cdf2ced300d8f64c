// What is trending, read again when the stream says that it has changed, and not more often than the cache allows.
import { type Query } from '@claret/ui/site';
import { useEffect } from 'react';
import type * as api from '../../../server/api.ts';
import { queries, useQuery } from '../api/door.ts';
import { API } from '../api/paths.ts';
import { useLiveTrending } from '../live/useLive.ts';
import { hasMoved, idsOf } from './trendingOrder.ts';

/** The cache does not read again what is newer than this. */
const AGAIN_MS = 5_100;

export function useTrending(): Query<api.Trending> {
  const query = useQuery<api.Trending>(API.trending);
  const heard = useLiveTrending();
  const { data } = query;
  const isOld = heard !== null && data !== null && hasMoved(idsOf(data), heard);
  useEffect(() => {
    if (!isOld) return;
    void queries.load(API.trending);
    const timer = window.setTimeout(() => void queries.load(API.trending), AGAIN_MS);
    return () => window.clearTimeout(timer);
  }, [isOld, heard]);
  return query;
}
