import { Avatar, Count, formatMoment, formatRelative, Skeleton, useServerNow, Waiting } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import type { Ref } from 'react';
import type * as api from '../../../server/api.ts';
import { PAGE } from '../api/paths.ts';
import { PostText } from '../posts/PostText.tsx';
import type { Repost } from '../posts/useRepost.ts';
import styles from './LargePost.module.css';
import { RepostSwitch } from './RepostSwitch.tsx';

export interface LargePostProps {
  post: api.PostView;
  repost: Repost;
  /** the element that shows it */
  card: Ref<HTMLElement>;
}

/** One post, large: author, text, exact time, and number of reposts. */
export function LargePost({ post, repost, card }: LargePostProps) {
  const { author, text, posted_at_ms } = post;
  return (
    <article ref={card} className={styles.post} aria-label={`Post by ${author.username}`}>
      <header>
        <AppLink to={PAGE.user(author.username)} className={styles.author}>
          <Avatar name={author.username} size={52} />
          <h1 className={styles.name}>
            <bdi>{author.username}</bdi>
          </h1>
        </AppLink>
      </header>
      <PostText text={text} className={styles.text} />
      <PostedAt at_ms={posted_at_ms} />
      <div className={styles.bar}>
        <Count value={repost.reposts} of={['repost', 'reposts']} />
        <RepostSwitch repost={repost} />
      </div>
    </article>
  );
}

function PostedAt({ at_ms }: { at_ms: number }) {
  const now_ms = Math.max(useServerNow(), at_ms);
  return (
    <p className={styles.when}>
      <time dateTime={new Date(at_ms).toISOString()}>{formatMoment(at_ms)}</time>
      <span aria-hidden="true">·</span>
      <span>{formatRelative(at_ms, now_ms)}</span>
    </p>
  );
}

export function LargePostWaiting() {
  return (
    <Waiting label="Loading post">
      <div className={styles.post}>
        <div className={styles.author}>
          <Skeleton width="3.25rem" height="3.25rem" />
          <Skeleton width="9rem" />
        </div>
        <Skeleton height="1.5rem" />
        <Skeleton width="70%" height="1.5rem" />
        <Skeleton width="12rem" />
      </div>
    </Waiting>
  );
}
