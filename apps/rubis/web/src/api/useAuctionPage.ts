import { useEffect, useState } from 'react';
import type * as api from '../../../server/api.ts';
import { openAuction, type Counted } from './auctionPage.ts';
import { post, useQuery } from './client.ts';
import { API } from './paths.ts';

/**
 * Opens the auction's page: reads its data, and counts a view, once while the page is shown. `views`: how many there have been; null: not known,
 * since the count is still under way or has failed; the page does without it. REQUIRES: `item_id` stays the same.
 */
export function useAuctionPage(item_id: string) {
  const [opened, setOpened] = useState<{ counted: Counted } | null>(null);
  // Before the query's own effect, which then finds the request under way.
  useEffect(() => hearing(openAuction(item_id), (counted) => setOpened({ counted })), [item_id]);
  const query = useQuery<api.AuctionPage>(API.page(item_id));
  const isOwed = query.data !== null && opened !== null && opened.counted === undefined;
  useEffect(() => {
    if (!isOwed) return undefined;
    const counting = post<api.ItemViews>(API.views(item_id)).then(
      ({ views }) => views,
      () => null,
    );
    return hearing(counting, (counted) => setOpened({ counted }));
  }, [item_id, isOwed]);
  return { ...query, views: opened?.counted ?? null };
}

/** Calls back unless the returned function is called before. */
function hearing(counting: Promise<Counted>, listener: (counted: Counted) => void): () => void {
  let isHeard = true;
  void counting.then((counted) => isHeard && listener(counted));
  return () => void (isHeard = false);
}
