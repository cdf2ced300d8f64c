import { Button } from '@claret/ui/kit';
import type { ReactNode } from 'react';
import type { Pages } from '../api/usePages.ts';
import styles from './ShowMore.module.css';

export interface ShowMoreProps {
  list: Pages<unknown, unknown>;
  /** shown below, such as how much of the list is shown */
  children?: ReactNode;
}

/** The end of a list that is read page by page: a button for more, or a note that this is all. */
export function ShowMore({ list, children }: ShowMoreProps) {
  return (
    <div className={styles.more}>
      {list.moreProblem && <p role="alert">{list.moreProblem.message}</p>}
      {list.hasMore && (
        <Button isBusy={list.isLoadingMore} onClick={() => void list.loadMore()}>
          Show more
        </Button>
      )}
      {!list.hasMore && list.isLong && <p>You’ve reached the end.</p>}
      {children}
    </div>
  );
}
