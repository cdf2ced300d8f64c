import { EmptyState, Tabs } from '@claret/ui/kit';
import { ProblemState } from '@claret/ui/site';
import { PackageOpen } from 'lucide-react';
import { useState } from 'react';
import { useParams } from 'react-router';
import type * as api from '../../../server/api.ts';
import { useQuery } from '../api/client.ts';
import { API } from '../api/paths.ts';
import { Comments } from '../components/Comments.tsx';
import { ItemGrid } from '../components/ItemCard.tsx';
import { PersonHead } from '../components/PersonHead.tsx';
import { PageWaiting } from '../components/Skeletons.tsx';
import { NotFoundPage } from './NotFoundPage.tsx';

export default function UserPage() {
  const { id = '' } = useParams();
  const { data, problem, reload } = useQuery<api.UserView>(API.user(id));
  if (data) return <Person key={id} view={data} />;
  if (problem?.code === 'unknown_user') return <NotFoundPage title="Member not found">The address may be mistyped.</NotFoundPage>;
  return (
    <>
      <title>Member · Claret Auctions</title>
      {problem ? <ProblemState heading="h1" problem={problem} onRetry={reload} /> : <PageWaiting label="Loading member" />}
    </>
  );
}

function Person({ view: { user, rating, comments, selling } }: { view: api.UserView }) {
  const [tab, setTab] = useState(selling.length === 0 && comments.length > 0 ? 'comments' : 'selling');
  return (
    <>
      <title>{`${user.nickname} · Claret Auctions`}</title>
      <PersonHead user={user} rating={rating} title={user.nickname} />
      <Tabs
        label={`About ${user.nickname}`}
        value={tab}
        onChange={setTab}
        tabs={[
          {
            value: 'selling',
            label: 'For sale',
            count: selling.length,
            content:
              selling.length > 0 ? (
                <ItemGrid items={selling} label={`For sale by ${user.nickname}`} />
              ) : (
                <EmptyState icon={<PackageOpen size={26} />} title="Nothing for sale right now">
                  {`${user.nickname} has no open auctions.`}
                </EmptyState>
              ),
          },
          {
            value: 'comments',
            label: 'Comments',
            count: comments.length,
            content: (
              <Comments comments={comments} empty={`When people buy from or sell to ${user.nickname}, their comments appear here.`} />
            ),
          },
        ]}
      />
    </>
  );
}
