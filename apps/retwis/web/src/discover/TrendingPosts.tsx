import { Button, classes, EmptyState } from '@claret/ui/kit';
import { AppLink, ProblemState } from '@claret/ui/site';
import { Flame, RefreshCw } from 'lucide-react';
import { useRef, useState } from 'react';
import type * as api from '../../../server/api.ts';
import { PAGE } from '../api/paths.ts';
import { FloatingPill } from '../posts/FloatingPill.tsx';
import { PostCard } from '../posts/PostCard.tsx';
import { PostsWaiting } from '../posts/PostsWaiting.tsx';
import styles from './TrendingPosts.module.css';
import { hasMoved, idsOf, inOrderOf } from './trendingOrder.ts';
import { useTrending } from './useTrending.ts';

/**
 * The posts with many reposts for their age. Counts change in place; a new order waits until it is requested, so that no post moves while
 * it is being read.
 */
export function TrendingPosts() {
  const { data, problem, reload } = useTrending();
  const [shown, setShown] = useState<api.Trending | null>(null);
  const top = useRef<HTMLDivElement>(null);
  if (!data) return problem ? <ProblemState problem={problem} onRetry={() => void reload()} /> : <PostsWaiting />;
  if (shown === null) setShown(data);
  const posts = inOrderOf(shown ?? data, data);
  const isOld = hasMoved(idsOf(shown ?? data), idsOf(data));
  if (posts.length === 0 && !isOld) return <NothingYet />;
  const show = () => {
    setShown(data);
    window.scrollTo({ top: 0 });
    top.current?.focus({ preventScroll: true });
  };
  return (
    <div ref={top} tabIndex={-1} role="group" aria-label="Trending now">
      <FloatingPill isShown={isOld} onPress={show}>
        <RefreshCw size={16} aria-hidden="true" />
        The order has changed
      </FloatingPill>
      <p className={styles.note}>Newer posts need fewer reposts to rank high.</p>
      <ol className={styles.list} aria-label="Trending posts">
        {posts.map(({ post, read_at_ms }, at) => (
          <li key={post.id} className={styles.place}>
            <span className={classes(styles.rank, 'figures')} aria-hidden="true">
              {at + 1}
            </span>
            <PostCard post={post} read_at_ms={read_at_ms} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function NothingYet() {
  return (
    <EmptyState
      icon={<Flame size={26} />}
      title="Nothing’s trending yet"
      actions={
        <Button asChild look="primary">
          <AppLink to={PAGE.discover('latest')}>See the latest posts</AppLink>
        </Button>
      }
    >
      Posts show up here as soon as someone reposts them.
    </EmptyState>
  );
}
