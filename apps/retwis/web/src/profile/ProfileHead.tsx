import { Avatar, Count, formatMoment, formatMonth, Pill, Skeleton, Waiting } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import type { ReactNode } from 'react';
import type * as api from '../../../server/api.ts';
import { PAGE } from '../api/paths.ts';
import { useHeardUser } from '../live/useLive.ts';
import { FollowButton } from '../people/FollowButton.tsx';
import { useFollow } from '../people/useFollow.ts';
import { useSession } from '../session.ts';
import styles from './ProfileHead.module.css';

/** The head of a profile: avatar, name, date of registration, and live counts. */
export function ProfileHead({ profile: { user, posts, followers, following, viewer, server_time_ms } }: { profile: api.Profile }) {
  const { user: me } = useSession();
  const heard = useHeardUser(user.id);
  const { username } = user;
  const follow = useFollow(
    { username, followers, followed: viewer?.follows ?? null, at_ms: server_time_ms },
    heard && { count: heard.followers, at_ms: heard.server_time_ms },
  );
  const followingNow = heard && heard.server_time_ms > server_time_ms ? heard.following : following;
  const to = (tab?: 'followers' | 'following') => PAGE.user(username, tab);
  return (
    <header className={styles.head}>
      <Avatar name={username} size={88} />
      <div className={styles.action}>
        {me?.id === user.id && <Pill>This is you</Pill>}
        <FollowButton username={username} follow={follow} />
      </div>
      <div className={styles.words}>
        <h1>
          <bdi>{username}</bdi>
        </h1>
        <p className={styles.meta}>
          <span title={formatMoment(user.joined_at_ms)}>Joined {formatMonth(user.joined_at_ms)}</span>
          {viewer?.followed_by && <Pill>Follows you</Pill>}
        </p>
        <ul className={styles.counts} aria-label={`About ${username}`}>
          <Figure to={to()}>
            <Count value={posts} of={['post or repost', 'posts and reposts']} />
          </Figure>
          <Figure to={to('followers')}>
            <Count value={follow.followers} of={['follower', 'followers']} />
          </Figure>
          <Figure to={to('following')}>
            <Count value={followingNow} of={['following', 'following']} />
          </Figure>
        </ul>
      </div>
    </header>
  );
}

function Figure({ to, children }: { to: string; children: ReactNode }) {
  return (
    <li>
      <AppLink to={to} preventScrollReset>
        {children}
      </AppLink>
    </li>
  );
}

export function ProfileWaiting() {
  return (
    <Waiting label="Loading profile">
      <div className={styles.head}>
        <Skeleton width="5.5rem" height="5.5rem" />
        <div className={styles.words}>
          <Skeleton width="12rem" height="1.75rem" />
          <Skeleton width="9rem" />
          <Skeleton width="16rem" />
        </div>
      </div>
    </Waiting>
  );
}
