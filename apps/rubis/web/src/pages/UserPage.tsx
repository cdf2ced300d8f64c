import { EmptyState, Tabs } from '@claret/ui/kit';
import { ProblemState } from '@claret/ui/site';
import { PackageOpen } from 'lucide-react';
import { useState } from 'react';
import { useParams } from 'react-router';
import type * as api from '../../../server/api.ts';
import { useQuery } from '../api/door.ts';
import { API } from '../api/paths.ts';
import { Comments } from '../parts/Comments.tsx';
import { ItemGrid } from '../parts/ItemCard.tsx';
import { PersonHead } from '../parts/PersonHead.tsx';
import { PageWaiting } from '../parts/Skeletons.tsx';
import { NotFoundPage } from './NotFoundPage.tsx';

export default function UserPage() {
  const { id = '' } = useParams();
  const { data, problem, reload } = useQuery<api.UserView>(API.user(id));
  if (data) return <Person key={id} view={data} />;
  if (problem?.code === 'unknown_user')
    return <NotFoundPage title="There is no such person">The address may be mistyped.</NotFoundPage>;
  return (
    <>
      <title>Member · Claret Auctions</title>
      {problem ? (
        <ProblemState heading="h1" problem={problem} onRetry={reload} />
      ) : (
        <PageWaiting label="Loading the person" />
      )}
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
            label: 'Selling now',
            count: selling.length,
            content:
              selling.length > 0 ? (
                <ItemGrid items={selling} label={`${user.nickname} sells`} />
              ) : (
                <EmptyState icon={<PackageOpen size={26} />} title="Nothing on sale right now">
                  {`${user.nickname} has no open auction.`}
                </EmptyState>
              ),
          },
          {
            value: 'comments',
            label: 'Comments',
            count: comments.length,
            content: <Comments comments={comments} empty={`People who trade with ${user.nickname} can say here how it went.`} />,
          },
        ]}
      />
    </>
  );
}
