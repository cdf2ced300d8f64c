import { useEffect, useState } from 'react';
import type * as api from '../../../server/api.ts';
import { post } from '../api/client.ts';
import { API } from '../api/paths.ts';

/**
 * Counts a view of the auction, once while the page shows it, and returns how many there have been. Null: not known, since the count is still
 * under way or has failed; the page does without it.
 * @param item_id null: no auction is shown yet
 */
export function useViews(item_id: string | null): number | null {
  const [counted, setCounted] = useState<{ item_id: string; views: number } | null>(null);
  useEffect(() => {
    if (item_id === null) return undefined;
    let isShown = true;
    post<api.ItemViews>(API.views(item_id)).then(
      ({ views }) => isShown && setCounted({ item_id, views }),
      () => undefined,
    );
    return () => void (isShown = false);
  }, [item_id]);
  return counted !== null && counted.item_id === item_id ? counted.views : null;
}
