import { formatMoment, formatRelative, useServerNow } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { PAGE } from '../api/paths.ts';
import { briefTime } from './postTime.ts';
import styles from './PostTime.module.css';

/** A post's age, linked to its page; the exact time on hover, on focus, and for screen readers. */
export function PostTime({ post_id, at_ms }: { post_id: string; at_ms: number }) {
  const now_ms = Math.max(useServerNow(), at_ms);
  const exact = formatMoment(at_ms);
  return (
    <AppLink to={PAGE.post(post_id)} className={styles.time} data-exact={exact}>
      <time dateTime={new Date(at_ms).toISOString()} aria-hidden="true">
        {briefTime(at_ms, now_ms)}
      </time>
      <span className="visually-hidden">{`Posted ${formatRelative(at_ms, now_ms)}, ${exact}`}</span>
    </AppLink>
  );
}
