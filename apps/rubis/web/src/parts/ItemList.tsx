import { Button, ErrorState, formatCount } from '@claret/ui/kit';
import type { ReactNode } from 'react';
import { ItemGrid } from './ItemCard.tsx';
import styles from './ItemList.module.css';
import { GridWaiting } from './Skeletons.tsx';
import { useItemPages } from './useItemPages.ts';

export interface ItemListProps {
  /** The server's path of the list. */
  path: string;
  label: string;
  /** Shown when there is nothing. */
  empty: ReactNode;
}

/** A list of auctions, more on demand. Give it `key={path}`. */
export function ItemList({ path, label, empty }: ItemListProps) {
  const list = useItemPages(path);
  if (list.items === null)
    return list.problem ? <ErrorState onRetry={list.reload}>{list.problem.message}</ErrorState> : <GridWaiting />;
  if (list.items.length === 0) return empty;
  return (
    <>
      <ItemGrid items={list.items} label={label} />
      <div className={styles.more}>
        {list.moreProblem && <p role="alert">{list.moreProblem.message}</p>}
        {list.hasMore ? (
          <Button isBusy={list.isLoadingMore} onClick={() => void list.loadMore()}>
            Show more
          </Button>
        ) : (
          list.items.length > 20 && <p>That is all of them.</p>
        )}
        {list.total !== null && (
          <p>
            {formatCount(list.items.length)} of {formatCount(Math.max(list.total, list.items.length))} shown
          </p>
        )}
      </div>
    </>
  );
}
