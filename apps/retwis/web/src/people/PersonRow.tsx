import { Avatar, classes, Count, formatMoment, formatMonth, formatRelative, Pill, useServerNow } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import type * as api from '../../../server/api.ts';
import { PAGE } from '../api/paths.ts';
import { useSession } from '../session.ts';
import { FollowButton } from './FollowButton.tsx';
import styles from './PersonRow.module.css';
import { useFollow } from './useFollow.ts';

const JUST_NOW_MS = 24 * 3_600_000;

export interface PersonRowProps {
  person: api.PersonCard;
  /** the server's time of the answer that contained the person */
  read_at_ms: number;
  isCompact?: boolean;
}

/** One person of a list: avatar, name, number of followers, and the follow button. */
export function PersonRow({ person, read_at_ms, isCompact = false }: PersonRowProps) {
  const { user: viewer } = useSession();
  const follow = useFollow({ ...person, at_ms: read_at_ms });
  return (
    <li className={styles.row}>
      <Avatar name={person.username} size={isCompact ? 36 : 44} />
      <div className={styles.words}>
        <AppLink to={PAGE.user(person.username)} className={styles.name}>
          <bdi>{person.username}</bdi>
        </AppLink>
        <p className={classes(styles.meta, 'facts')}>
          <Count value={follow.followers} of={['follower', 'followers']} />
          {!isCompact && <Joined at_ms={person.joined_at_ms} />}
        </p>
      </div>
      {viewer?.id === person.id ? <Pill>You</Pill> : <FollowButton username={person.username} follow={follow} isInList />}
    </li>
  );
}

function Joined({ at_ms }: { at_ms: number }) {
  const now_ms = Math.max(useServerNow(), at_ms);
  const words = now_ms - at_ms < JUST_NOW_MS ? formatRelative(at_ms, now_ms) : formatMonth(at_ms, undefined, undefined, 'short');
  return (
    <time dateTime={new Date(at_ms).toISOString()} title={formatMoment(at_ms)}>
      joined {words}
    </time>
  );
}
