import { Avatar, EmptyState, formatRelative, Pill, useServerNow } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { MessageSquare } from 'lucide-react';
import type * as api from '../../../server/api.ts';
import { PAGE } from '../api/paths.ts';
import styles from './Comments.module.css';
import { formatRating, ratingWord } from './ratingWords.ts';

/** The comments about a person, newest first. */
export function Comments({ comments, empty }: { comments: readonly api.CommentView[]; empty: string }) {
  const now_ms = useServerNow();
  if (comments.length === 0) {
    return (
      <EmptyState icon={<MessageSquare size={26} />} title="No comments yet">
        {empty}
      </EmptyState>
    );
  }
  return (
    <ul className={styles.list} aria-label="Comments">
      {comments.map((comment) => (
        <li key={comment.id} className={styles.comment}>
          <Avatar name={comment.from.nickname} size={40} />
          <div>
            <p className={styles.head}>
              <AppLink to={PAGE.user(comment.from.id)} className={styles.name}>
                {comment.from.nickname}
              </AppLink>
              <Pill tone={comment.rating > 0 ? 'good' : comment.rating < 0 ? 'bad' : 'plain'}>
                {ratingWord(comment.rating)} <span className="figures">{formatRating(comment.rating)}</span>
              </Pill>
              <span className={styles.meta}>{formatRelative(Math.min(comment.created_at_ms, now_ms), now_ms)}</span>
            </p>
            <p dir="auto">{comment.text}</p>
            <p className={styles.meta}>
              About{' '}
              <AppLink to={PAGE.item(comment.item_id)}>
                <bdi>{comment.item_title}</bdi>
              </AppLink>
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
