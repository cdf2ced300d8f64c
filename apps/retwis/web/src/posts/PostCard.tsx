// One post in a list: author, time, text, and actions. Clicking it anywhere opens it, except on its links and buttons, and not after a text
// selection.
import { Avatar, formatMoment, formatRelative, useServerNow } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { Repeat2 } from 'lucide-react';
import { memo, useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { useNavigate } from 'react-router';
import type * as api from '../../../server/api.ts';
import { PAGE } from '../api/paths.ts';
import { useSession } from '../session.ts';
import styles from './PostCard.module.css';
import { PostText } from './PostText.tsx';
import { PostTime } from './PostTime.tsx';
import { RepostButton } from './RepostButton.tsx';
import { useRepost } from './useRepost.ts';

export interface PostCardProps {
  post: api.PostView;
  /** the server's time of the answer that contained the post */
  read_at_ms: number;
  /** the repost that put the post on this list; null: the post's own entry */
  reposted?: { by: api.UserRef; at_ms: number } | null;
}

export const PostCard = memo(function PostCard({ post, read_at_ms, reposted = null }: PostCardProps) {
  const card = useRef<HTMLElement>(null);
  const repost = useRepost(post, read_at_ms, card);
  useOpenOnPress(card, post.id);
  const { author } = post;
  return (
    <article ref={card} className={styles.card} aria-label={`Post by ${author.username}`}>
      {reposted && <Reposted {...reposted} isStill={repost.reposted} />}
      <AppLink to={PAGE.user(author.username)} className={styles.face} tabIndex={-1} aria-hidden="true">
        <Avatar name={author.username} size={44} />
      </AppLink>
      <div className={styles.body}>
        <p className={styles.head}>
          <AppLink to={PAGE.user(author.username)} className={styles.author}>
            <bdi>{author.username}</bdi>
          </AppLink>
          <span aria-hidden="true">·</span>
          <PostTime post_id={post.id} at_ms={post.posted_at_ms} />
        </p>
        <PostText text={post.text} />
        <div className={styles.actions}>
          <RepostButton repost={repost} />
        </div>
      </div>
    </article>
  );
});

/** `isStill`: the viewer still has the post reposted; their own repost is not named once it is undone. */
function Reposted({ by: user, at_ms, isStill }: { by: api.UserRef; at_ms: number; isStill: boolean }) {
  const { user: viewer } = useSession();
  const now_ms = Math.max(useServerNow(), at_ms);
  const isMine = viewer?.id === user.id;
  if (isMine && !isStill) return null;
  return (
    <p className={styles.why}>
      <Repeat2 size={16} aria-hidden="true" />
      <span>
        <AppLink to={PAGE.user(user.username)}>{isMine ? 'You' : <bdi>{user.username}</bdi>}</AppLink> reposted{' '}
        <time dateTime={new Date(at_ms).toISOString()} title={formatMoment(at_ms)}>
          {formatRelative(at_ms, now_ms)}
        </time>
      </span>
    </p>
  );
}

/** For the pointer; the post's time is the equivalent link for the keyboard. */
function useOpenOnPress(card: RefObject<HTMLElement | null>, post_id: string): void {
  const navigate = useNavigate();
  const open = useEffectEvent((event: MouseEvent) => {
    const isElsewhere = event.target instanceof Element && event.target.closest('a, button') !== null;
    if (isElsewhere || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (window.getSelection()?.isCollapsed === false) return;
    void navigate(PAGE.post(post_id));
  });
  useEffect(() => {
    const element = card.current!;
    const onPress = (event: MouseEvent) => open(event);
    element.addEventListener('click', onPress);
    return () => element.removeEventListener('click', onPress);
  }, [card]);
}
