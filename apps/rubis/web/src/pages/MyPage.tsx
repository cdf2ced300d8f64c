import { Button, EmptyState, Tabs } from '@claret/ui/kit';
import { AppLink, ProblemState } from '@claret/ui/site';
import { Eye, Gavel, PackageOpen, ShoppingBag, Tag, Trophy } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import type * as api from '../../../server/api.ts';
import { useQuery } from '../api/client.ts';
import { API, PAGE } from '../api/paths.ts';
import { useNotices } from '../live/live.ts';
import { Comments } from '../components/Comments.tsx';
import { EntryList, PurchaseList } from '../components/EntryList.tsx';
import { LoginWall } from '../components/LoginWall.tsx';
import { PersonHead } from '../components/PersonHead.tsx';
import { PageWaiting } from '../components/Skeletons.tsx';
import { useSession } from '../session.ts';

type ListName = 'bidding' | 'won' | 'bought' | 'selling' | 'sold' | 'lost' | 'watching';

/** the lists of the person's auctions, each with the text shown while it is empty */
const LISTS: readonly ({ value: ListName; label: string } & NothingProps)[] = [
  {
    value: 'bidding',
    label: 'Bidding',
    icon: <Gavel size={26} />,
    title: 'You’re not bidding on anything',
    text: 'Find something you like and name your price.',
    action: 'Browse auctions',
    to: PAGE.browse(),
  },
  {
    value: 'won',
    label: 'Won',
    icon: <Trophy size={26} />,
    title: 'Nothing won yet',
    text: 'Auctions you win appear here.',
    action: 'Browse auctions',
    to: PAGE.browse(),
  },
  {
    value: 'bought',
    label: 'Bought',
    icon: <ShoppingBag size={26} />,
    title: 'Nothing bought yet',
    text: 'Some auctions have a Buy now price. Anything you buy that way appears here.',
    action: 'Browse auctions',
    to: PAGE.browse(),
  },
  {
    value: 'selling',
    label: 'Selling',
    icon: <Tag size={26} />,
    title: 'You’re not selling anything',
    text: 'Got something in the attic that someone else is looking for?',
    action: 'Sell something',
    to: PAGE.sell,
  },
  {
    value: 'sold',
    label: 'Sold',
    icon: <Tag size={26} />,
    title: 'No past sales',
    text: 'Your auctions that ended in the last 30 days appear here, with their buyers.',
    action: 'Sell something',
    to: PAGE.sell,
  },
  {
    value: 'lost',
    label: 'Lost',
    icon: <PackageOpen size={26} />,
    title: 'Nothing lost',
    text: 'Auctions that someone else won appear here.',
    action: 'Browse auctions',
    to: PAGE.browse(),
  },
  {
    value: 'watching',
    label: 'Watching',
    icon: <Eye size={26} />,
    title: 'You’re not watching anything',
    text: 'Press “Watch” on an auction to follow it without bidding.',
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
          <LoginWall title="Log in to see your bids and sales">Follow everything you’re bidding on, buying and selling, live.</LoginWall>
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
    if (ended > 0) reload(); // an auction of this person has ended and is on another list now
  }, [ended, reload]);
  if (!data) return problem ? <ProblemState heading="h1" problem={problem} onRetry={reload} /> : <PageWaiting label="Loading your page" />;
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
                empty="After a sale, the seller and the buyers can rate each other. Comments about you appear here."
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
