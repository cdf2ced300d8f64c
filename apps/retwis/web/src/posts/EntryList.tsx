import { ErrorState } from '@claret/ui/kit';
import type { ReactNode } from 'react';
import { MoreAtEnd } from '../parts/MoreAtEnd.tsx';
import styles from './EntryList.module.css';
import { PostCard } from './PostCard.tsx';
import { PostsWaiting } from './PostsWaiting.tsx';
import { useEntryPages } from './useEntryPages.ts';

export interface EntryListProps {
  /** The server's path of the list. */
  path: string;
  label: string;
  /** Shown when there is nothing. */
  empty: ReactNode;
}

/** Posts and reposts, more as one reaches the end. Give it `key={path}`. */
export function EntryList({ path, label, empty }: EntryListProps) {
  return <Entries list={useEntryPages(path)} label={label} empty={empty} />;
}

/** The same of a list that the page has in hand. */
export function Entries({ list, label, empty }: Omit<EntryListProps, 'path'> & { list: ReturnType<typeof useEntryPages> }) {
  if (list.items === null) {
    if (list.problem) return <ErrorState onRetry={() => void list.reload()}>{list.problem.message}</ErrorState>;
    return <PostsWaiting />;
  }
  if (list.items.length === 0) return empty;
  return (
    <>
      <ol className={styles.list} aria-label={label}>
        {list.items.map(({ entry, read_at_ms }) => (
          <li key={entry.post.id}>
            <PostCard post={entry.post} read_at_ms={read_at_ms} reposted_by={entry.reposted_by} />
          </li>
        ))}
      </ol>
      <MoreAtEnd list={list} />
    </>
  );
}
