import type * as api from '../../../server/api.ts';
import { Composer } from '../compose/Composer.tsx';
import { OutgoingPosts } from '../compose/OutgoingPosts.tsx';
import { LiveEntryList } from '../posts/EntryList.tsx';
import { newsCount, useListNews } from '../posts/useListNews.ts';
import { Beginning } from './Beginning.tsx';
import styles from './Timeline.module.css';

/** The viewer's own timeline, with the composer above it. */
export function Timeline({ viewer }: { viewer: api.UserRef }) {
  const news = useListNews('timeline');
  return (
    <>
      <title>{`${news.count > 0 ? `(${newsCount(news)}) ` : ''}Home · Claret Timelines`}</title>
      <h1 className={styles.title}>Home</h1>
      <Composer writer={viewer} className={styles.composer} />
      <OutgoingPosts writer={viewer} />
      <LiveEntryList list="timeline" label="Your timeline" empty={<Beginning />} />
    </>
  );
}
