import { Button, EmptyState, ErrorState, Tabs } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { Gavel, PackageOpen, Tag, Trophy } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import type * as api from '../../../server/api.ts';
import { useQuery } from '../api/door.ts';
import { API, PAGE } from '../api/paths.ts';
import { useNotices } from '../live/live.ts';
import { Comments } from '../parts/Comments.tsx';
import { EntryList } from '../parts/EntryList.tsx';
import { LoginWall } from '../parts/LoginWall.tsx';
import { PersonHead } from '../parts/PersonHead.tsx';
import { PageWaiting } from '../parts/Skeletons.tsx';
import { useSession } from '../session.ts';

type ListName = 'bidding' | 'won' | 'lost' | 'selling' | 'sold';

/** The lists of one's auctions, and what stands there while one is empty. */
const LISTS: readonly ({ value: ListName; label: string } & NothingProps)[] = [
  {
    value: 'bidding',
    label: 'Bidding',
    icon: <Gavel size={26} />,
    title: 'You are not bidding on anything',
    text: 'Find something you like and name your price.',
    action: 'Browse auctions',
    to: PAGE.browse(),
  },
  {
    value: 'won',
    label: 'Won',
    icon: <Trophy size={26} />,
    title: 'Nothing won yet',
    text: 'What you win is kept here.',
    action: 'See what ends soon',
    to: PAGE.browse(),
  },
  {
    value: 'lost',
    label: 'Not won',
    icon: <PackageOpen size={26} />,
    title: 'Nothing lost either',
    text: 'Auctions that somebody else won are kept here.',
    action: 'Browse auctions',
    to: PAGE.browse(),
  },
  {
    value: 'selling',
    label: 'Selling',
    icon: <Tag size={26} />,
    title: 'You are not selling anything',
    text: 'What stands in your attic that somebody else is looking for?',
    action: 'Sell something',
    to: PAGE.sell,
  },
  {
    value: 'sold',
    label: 'Ended sales',
    icon: <Tag size={26} />,
    title: 'No ended sales',
    text: 'Your auctions are kept here once they have ended.',
    action: 'Sell something',
    to: PAGE.sell,
  },
];

export default function MyPage() {
  const { user, isKnown } = useSession();
  return (
    <>
      <title>My bids and sales · Claret Auctions</title>
      {user ? (
        <Mine />
      ) : (
        isKnown && (
          <LoginWall title="Log in to see your bids and sales">
            Everything you bid on, won and sell is here, and how you stand, live.
          </LoginWall>
        )
      )}
    </>
  );
}

function Mine() {
  const { data, problem, reload } = useQuery<api.MyPage>(API.me);
  const [query, setQuery] = useSearchParams();
  const ended = useNotices().filter(({ kind }) => kind !== 'outbid').length;
  useEffect(() => {
    if (ended > 0) reload(); // an auction of mine has ended: it stands on another list now
  }, [ended, reload]);
  if (!data)
    return problem ? <ErrorState heading="h1" onRetry={reload}>{problem.message}</ErrorState> : <PageWaiting label="Loading your page" />;
  return (
    <>
      <PersonHead user={data.user} rating={data.rating} title="My bids and sales">
        <Button asChild look="primary">
          <AppLink to={PAGE.sell}>Sell something</AppLink>
        </Button>
      </PersonHead>
      <Tabs
        label="My bids and sales"
        value={query.get('tab') ?? 'bidding'}
        onChange={(tab) => setQuery({ tab }, { replace: true, preventScrollReset: true })}
        tabs={[
          ...LISTS.map(({ value, label, ...empty }) => ({
            value,
            label,
            count: data[value].length,
            content: data[value].length > 0 ? <EntryList entries={data[value]} label={label} /> : <Nothing {...empty} />,
          })),
          {
            value: 'comments',
            label: 'Comments',
            count: data.comments.length,
            content: (
              <Comments
                comments={data.comments}
                empty="After a sale, winner and seller can say how it went. What they say about you is here."
              />
            ),
          },
        ]}
      />
    </>
  );
}

interface NothingProps {
  icon: ReactNode;
  title: string;
  text: string;
  action: string;
  to: string;
}

function Nothing({ icon, title, text, action, to }: NothingProps) {
  return (
    <EmptyState
      icon={icon}
      title={title}
      actions={
        <Button asChild>
          <AppLink to={to}>{action}</AppLink>
        </Button>
      }
    >
      {text}
    </EmptyState>
  );
}
