import { Button, EmptyState, Tabs } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { Feather, UserRound, Users } from 'lucide-react';
import type * as api from '../../../server/api.ts';
import { API, PAGE } from '../api/paths.ts';
import { useTab } from '../components/useTab.ts';
import { PeopleList } from '../people/PeopleList.tsx';
import { EntryList } from '../posts/EntryList.tsx';
import { useSession } from '../session.ts';

const TABS = ['posts', 'followers', 'following'] as const;

/** The person's posts, their followers, and the people they follow. */
export function ProfileTabs({ user }: { user: api.UserRef }) {
  const { user: viewer } = useSession();
  const [tab, setTab] = useTab(TABS);
  const isMine = viewer?.id === user.id;
  const paths = {
    posts: API.userPosts(user.username),
    followers: API.followers(user.username),
    following: API.following(user.username),
  };
  return (
    <Tabs
      label={`${user.username}: posts and people`}
      value={tab}
      onChange={setTab}
      tabs={[
        {
          value: 'posts',
          label: 'Posts',
          content: (
            <EntryList
              key={paths.posts}
              path={paths.posts}
              label={`Posts by ${user.username}`}
              empty={<NoPosts user={user} isMine={isMine} />}
            />
          ),
        },
        {
          value: 'followers',
          label: 'Followers',
          content: (
            <PeopleList
              key={paths.followers}
              path={paths.followers}
              label={`Followers of ${user.username}`}
              empty={<NoFollowers user={user} isMine={isMine} />}
            />
          ),
        },
        {
          value: 'following',
          label: 'Following',
          content: (
            <PeopleList
              key={paths.following}
              path={paths.following}
              label={`People followed by ${user.username}`}
              empty={<FollowsNobody user={user} isMine={isMine} />}
            />
          ),
        },
      ]}
    />
  );
}

type NobodyProps = { user: api.UserRef; isMine: boolean };

function NoPosts({ user, isMine }: NobodyProps) {
  return (
    <EmptyState
      icon={<Feather size={26} />}
      title={isMine ? 'You haven’t posted yet' : `${user.username} hasn’t posted yet`}
      actions={
        isMine && (
          <Button asChild look="primary">
            <AppLink to={PAGE.home}>Write your first post</AppLink>
          </Button>
        )
      }
    >
      {isMine
        ? 'Your posts and reposts appear here for everyone to see.'
        : 'Follow them to get their first post on your timeline right away.'}
    </EmptyState>
  );
}

function NoFollowers({ user, isMine }: NobodyProps) {
  return (
    <EmptyState icon={<Users size={26} />} title={isMine ? 'No followers yet' : `${user.username} has no followers yet`}>
      {isMine ? 'People find you through your posts and reposts.' : 'Be the first to follow them.'}
    </EmptyState>
  );
}

function FollowsNobody({ user, isMine }: NobodyProps) {
  return (
    <EmptyState
      icon={<UserRound size={26} />}
      title={isMine ? 'You’re not following anyone yet' : `${user.username} isn’t following anyone yet`}
      actions={
        isMine && (
          <Button asChild look="primary">
            <AppLink to={PAGE.discover('people')}>Find people</AppLink>
          </Button>
        )
      }
    >
      {isMine ? 'Follow people to fill your timeline.' : 'When they do, you’ll see it here.'}
    </EmptyState>
  );
}
