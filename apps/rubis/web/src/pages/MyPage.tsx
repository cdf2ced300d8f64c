import { Button, EmptyState, Tabs } from '@claret/ui/kit';
import { AppLink, ProblemState } from '@claret/ui/site';
import { Eye, Gavel, PackageOpen, ShoppingBag, Tag, Trophy } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import type * as api from '../../../server/api.ts';
import { useQuery } from '../api/door.ts';
import { API, PAGE } from '../api/paths.ts';
import { useNotices } from '../live/live.ts';
import { Comments } from '../parts/Comments.tsx';
import { EntryList, PurchaseList } from '../parts/EntryList.tsx';
import { LoginWall } from '../parts/LoginWall.tsx';
import { PersonHead } from '../parts/PersonHead.tsx';
import { PageWaiting } from '../parts/Skeletons.tsx';
import { useSession } from '../session.ts';

type ListName = 'bidding' | 'won' | 'bought' | 'selling' | 'sold' | 'lost' | 'watching';

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
    value: 'bought',
    label: 'Bought',
    icon: <ShoppingBag size={26} />,
    title: 'Nothing bought yet',
    text: 'Some auctions have a price at which a piece is yours at once. What you buy is kept here.',
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
    label: 'Sold',
    icon: <Tag size={26} />,
    title: 'No ended sales',
    text: 'Your auctions of the last 30 days are kept here once they have ended, with who bought what.',
    action: 'Sell something',
    to: PAGE.sell,
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
    value: 'watching',
    label: 'Watching',
    icon: <Eye size={26} />,
    title: 'You are not watching anything',
    text: 'Press “Watch” on an auction to keep it in sight without bidding.',
    action: 'Browse auctions',
    to: PAGE.browse(),
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
    return problem ? <ProblemState heading="h1" problem={problem} onRetry={reload} /> : <PageWaiting label="Loading your page" />;
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
            content: data[value].length > 0 ? <List page={data} name={value} label={label} onUnwatch={reload} /> : <Nothing {...empty} />,
          })),
          {
            value: 'comments',
            label: 'Comments',
            count: data.comments.length,
            content: (
              <Comments
                comments={data.comments}
                empty="After a sale, the seller and those who won or bought can say how it went. What they say about you is here."
              />
            ),
          },
        ]}
      />
    </>
  );
}

interface ListProps {
  page: api.MyPage;
  name: ListName;
  label: string;
  onUnwatch(): void;
}

function List({ page, name, label, onUnwatch }: ListProps) {
  if (name === 'bought') return <PurchaseList purchases={page.bought} label={label} />;
  if (name === 'watching') return <EntryList entries={page.watching} label={label} onUnwatch={onUnwatch} />;
  return <EntryList entries={page[name]} label={label} />;
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
