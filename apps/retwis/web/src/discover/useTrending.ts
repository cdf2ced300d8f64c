// The trending posts, reloaded when the stream reports a change, at most as often as the cache allows.
import { type Query } from '@claret/ui/site';
import { useEffect } from 'react';
import type * as api from '../../../server/api.ts';
import { queries, useQuery } from '../api/client.ts';
import { API } from '../api/paths.ts';
import { useLiveTrending } from '../live/useLive.ts';
import { hasMoved, idsOf } from './trendingOrder.ts';

/** the cache does not reload an answer that is newer than this */
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
