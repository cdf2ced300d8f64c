import { Button, classes } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { Check, UserPlus } from 'lucide-react';
import { useLocation } from 'react-router';
import type * as api from '../../../server/api.ts';
import { PAGE } from '../api/paths.ts';
import { useSession } from '../session.ts';
import styles from './FollowButton.module.css';
import { useFollow } from './useFollow.ts';

export interface FollowButtonProps {
  user: api.UserRef;
  /** Whether the viewer follows them, as the server said at `read_at_ms`; null if it knew no viewer. */
  followed: boolean | null;
  read_at_ms: number;
  size?: 'normal' | 'small';
}

/** Follow or unfollow; the way to log in for who is not; nothing beside one's own name. */
export function FollowButton(props: FollowButtonProps) {
  const { user: viewer, isKnown } = useSession();
  const { pathname, search } = useLocation();
  const { user, size = 'normal' } = props;
  if (!isKnown || viewer?.id === user.id) return null;
  if (viewer) return <Toggle {...props} />;
  return (
    <Button asChild size={size}>
      <AppLink to={PAGE.login(pathname + search)} aria-label={`Follow ${user.username}: log in first`}>
        <UserPlus size={16} aria-hidden="true" />
        Follow
      </AppLink>
    </Button>
  );
}

// The two words of the pressed state stand in one place, so that pointing at the button does not change its width.
function Toggle({ user, followed, read_at_ms, size = 'normal' }: FollowButtonProps) {
  const { isFollowing, press } = useFollow(user, followed, read_at_ms);
  if (!isFollowing) {
    return (
      <Button size={size} look="primary" className={styles.button} aria-label={`Follow ${user.username}`} onClick={press}>
        <UserPlus size={16} aria-hidden="true" />
        Follow
      </Button>
    );
  }
  return (
    <Button
      size={size}
      className={classes(styles.button, styles.following)}
      aria-label={`Following ${user.username}: unfollow`}
      onClick={press}
    >
      <span className={styles.now}>
        <Check size={16} aria-hidden="true" />
        Following
      </span>
      <span className={styles.offer}>Unfollow</span>
    </Button>
  );
}
