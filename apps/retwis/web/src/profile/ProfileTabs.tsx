import { Button, EmptyState, Tabs } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { Feather, UserRound, Users } from 'lucide-react';
import type * as api from '../../../server/api.ts';
import { API, PAGE } from '../api/paths.ts';
import { useTab } from '../parts/useTab.ts';
import { PeopleList } from '../people/PeopleList.tsx';
import { EntryList } from '../posts/EntryList.tsx';
import { useSession } from '../session.ts';

const TABS = ['posts', 'followers', 'following'] as const;

/** What somebody posted, who follows them, and whom they follow. */
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
              label={`Posts of ${user.username}`}
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
              label={`People ${user.username} follows`}
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
      title={isMine ? 'You have not posted yet' : `${user.username} has not posted yet`}
      actions={
        isMine && (
          <Button asChild look="primary">
            <AppLink to={PAGE.home}>Write your first post</AppLink>
          </Button>
        )
      }
    >
      {isMine
        ? 'What you post or repost stands here, for everybody.'
        : 'Follow them, and their first post comes to your timeline the moment it is posted.'}
    </EmptyState>
  );
}

function NoFollowers({ user, isMine }: NobodyProps) {
  return (
    <EmptyState icon={<Users size={26} />} title={isMine ? 'Nobody follows you yet' : `Nobody follows ${user.username} yet`}>
      {isMine ? 'People find you by what you post and repost.' : 'Be the first: one press, and what they post comes to you.'}
    </EmptyState>
  );
}

function FollowsNobody({ user, isMine }: NobodyProps) {
  return (
    <EmptyState
      icon={<UserRound size={26} />}
      title={isMine ? 'You follow nobody yet' : `${user.username} follows nobody yet`}
      actions={
        isMine && (
          <Button asChild look="primary">
            <AppLink to={PAGE.discover('people')}>Find people</AppLink>
          </Button>
        )
      }
    >
      {isMine ? 'Whom you follow writes your timeline.' : 'Their own timeline is still quiet.'}
    </EmptyState>
  );
}
