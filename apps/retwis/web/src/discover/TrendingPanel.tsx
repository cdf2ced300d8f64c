import { Count } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { useRef } from 'react';
import type * as api from '../../../server/api.ts';
import { PAGE } from '../api/paths.ts';
import { useLivePost } from '../live/useLive.ts';
import styles from './Panel.module.css';
import { useHeld } from './useHeld.ts';
import { useTrending } from './useTrending.ts';

const SHOWN = 5;

/** The trending posts, beside every page. The panel is optional, so it shows nothing while it has no data. */
export function TrendingPanel() {
  const { data } = useTrending();
  const { shown, handlers } = useHeld(data);
  if (!shown || shown.posts.length === 0) return null;
  return (
    <section className={styles.panel} aria-labelledby="panel-trending" {...handlers}>
      <h2 id="panel-trending">Trending now</h2>
      <ol className={styles.list}>
        {shown.posts.slice(0, SHOWN).map((post) => (
          <TrendingLine key={post.id} post={post} read_at_ms={shown.server_time_ms} />
        ))}
      </ol>
      <AppLink to={PAGE.discover('trending')} className={styles.more}>
        Show more
      </AppLink>
    </section>
  );
}

function TrendingLine({ post, read_at_ms }: { post: api.PostView; read_at_ms: number }) {
  const line = useRef<HTMLLIElement>(null);
  const { reposts } = useLivePost(post, read_at_ms, line);
  return (
    <li ref={line} className={styles.line}>
      <AppLink to={PAGE.post(post.id)} className={styles.text} dir="auto">
        {post.text}
      </AppLink>
      <p className={styles.meta}>
        <bdi>{post.author.username}</bdi>
        <span aria-hidden="true">·</span>
        <Count value={reposts} of={['repost', 'reposts']} />
      </p>
    </li>
  );
}
