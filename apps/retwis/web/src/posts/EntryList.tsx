import { useAnnounce } from '@claret/ui/kit';
import { ProblemState } from '@claret/ui/site';
import { useRef, type ReactNode } from 'react';
import { API } from '../api/paths.ts';
import type { LiveList } from '../live/useLive.ts';
import { MoreAtEnd } from '../components/MoreAtEnd.tsx';
import styles from './EntryList.module.css';
import { NewsPill } from './NewsPill.tsx';
import { PostCard } from './PostCard.tsx';
import { PostsWaiting } from './PostsWaiting.tsx';
import { useEntryPages, type EntryPageList } from './useEntryPages.ts';
import { newsCount, useListNews } from './useListNews.ts';

export interface EntryListProps {
  /** the API path of the list */
  path: string;
  label: string;
  /** shown if the list is empty */
  empty: ReactNode;
}

/** A list of posts and reposts that loads more near its end. REQUIRES: `key={path}`. */
export function EntryList({ path, label, empty }: EntryListProps) {
  return <Entries list={useEntryPages(path)} label={label} empty={empty} />;
}

/** The same for a list that the stream carries: new entries wait behind a pill, so that the list does not move while it is read. */
export function LiveEntryList({ list, label, empty }: Omit<EntryListProps, 'path'> & { list: LiveList }) {
  const entries = useEntryPages(API[list]);
  const news = useListNews(list);
  const announce = useAnnounce();
  const top = useRef<HTMLDivElement>(null);
  const show = async () => {
    await entries.reload();
    announce(`Showing ${newsCount(news)} new posts`);
    window.scrollTo({ top: 0 });
    top.current?.focus({ preventScroll: true });
  };
  return (
    <div ref={top} tabIndex={-1} role="group" aria-label={label}>
      {entries.items !== null && <NewsPill news={news} isBusy={entries.isLoading} onShow={() => void show()} />}
      <Entries list={entries} label={label} empty={empty} />
    </div>
  );
}

function Entries({ list, label, empty }: Omit<EntryListProps, 'path'> & { list: EntryPageList }) {
  if (list.items === null) {
    if (list.problem) return <ProblemState problem={list.problem} onRetry={() => void list.reload()} />;
    return <PostsWaiting />;
  }
  if (list.items.length === 0) return empty;
  return (
    <>
      {list.problem && (
        <p className={styles.old} role="alert">
          {list.problem.message} This list may be out of date.
        </p>
      )}
      <ol className={styles.list} aria-label={label}>
        {list.items.map(({ entry, read_at_ms }) => (
          <li key={entry.post.id}>
            <PostCard
              post={entry.post}
              read_at_ms={read_at_ms}
              reposted={entry.reposted_by && { by: entry.reposted_by, at_ms: entry.at_ms }}
            />
          </li>
        ))}
      </ol>
      <MoreAtEnd list={list} />
    </>
  );
}
