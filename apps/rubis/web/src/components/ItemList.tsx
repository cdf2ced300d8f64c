import { formatCount } from '@claret/ui/kit';
import { ProblemState, ShowMore, usePages } from '@claret/ui/site';
import type { ReactNode } from 'react';
import type * as api from '../../../server/api.ts';
import { ItemGrid } from './ItemCard.tsx';
import { GridWaiting } from './Skeletons.tsx';

export interface ItemListProps {
  /** the API path of the list */
  path: string;
  label: string;
  /** shown if the list is empty */
  empty: ReactNode;
}

const itemsOf = (page: api.ItemPage) => page.items;
const idOf = (item: api.ItemCard) => item.id;

/** A list of auctions, with more on demand. REQUIRES: `key={path}`. */
export function ItemList({ path, label, empty }: ItemListProps) {
  const list = usePages<api.ItemPage, api.ItemCard>(path, itemsOf, idOf);
  const total = list.first?.total ?? null;
  if (list.items === null) return list.problem ? <ProblemState problem={list.problem} onRetry={list.reload} /> : <GridWaiting />;
  if (list.items.length === 0) return empty;
  return (
    <>
      <ItemGrid items={list.items} label={label} />
      <ShowMore list={list}>
        {total !== null && (
          <p>
            {formatCount(list.items.length)} of {formatCount(Math.max(total, list.items.length))} shown
          </p>
        )}
      </ShowMore>
    </>
  );
}
