import { Button, classes } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { Check, UserPlus } from 'lucide-react';
import { useLocation } from 'react-router';
import { PAGE } from '../api/paths.ts';
import { useSession } from '../session.ts';
import styles from './FollowButton.module.css';
import type { Follow } from './useFollow.ts';

export interface FollowButtonProps {
  username: string;
  follow: Follow;
  /** one of many in a list: less conspicuous */
  isInList?: boolean;
}

/** Follow or unfollow; a link to the login if logged out; nothing beside the viewer's own name. */
export function FollowButton(props: FollowButtonProps) {
  const { user: viewer, isKnown } = useSession();
  const { pathname, search } = useLocation();
  const { username, isInList = false } = props;
  if (!isKnown || viewer?.username === username) return null;
  if (viewer) return <Toggle {...props} />;
  return (
    <Button asChild {...looks(isInList)}>
      <AppLink to={PAGE.login(pathname + search)} aria-label={`Follow ${username}: log in first`}>
        {!isInList && <UserPlus size={16} aria-hidden="true" />}
        Follow
      </AppLink>
    </Button>
  );
}

// The two words of the pressed state share one place, so that pointing at the button does not change its width.
function Toggle({ username, follow: { isFollowing, press }, isInList = false }: FollowButtonProps) {
  if (!isFollowing) {
    return (
      <Button {...looks(isInList)} aria-label={`Follow ${username}`} onClick={press}>
        {!isInList && <UserPlus size={16} aria-hidden="true" />}
        Follow
      </Button>
    );
  }
  return (
    <Button
      size={isInList ? 'small' : 'normal'}
      className={classes(styles.button, styles.following, isInList && styles.small)}
      aria-label={`Following ${username}: unfollow`}
      onClick={press}
    >
      <span className={styles.now}>
        {!isInList && <Check size={16} aria-hidden="true" />}
        Following
      </span>
      <span className={styles.offer}>Unfollow</span>
    </Button>
  );
}

const looks = (isInList: boolean) =>
  isInList
    ? ({ size: 'small', className: classes(styles.button, styles.small, styles.soft) } as const)
    : ({ look: 'primary', className: styles.button } as const);
