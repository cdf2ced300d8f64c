import { Button, formatCounted } from '@claret/ui/kit';
import { AppLink, ProblemState } from '@claret/ui/site';
import { useParams } from 'react-router';
import type * as api from '../../../server/api.ts';
import { useQuery } from '../api/client.ts';
import { API, PAGE } from '../api/paths.ts';
import { regionName } from '../api/useCatalogue.ts';
import { BrowseNav } from '../browse/BrowseNav.tsx';
import { CategoryGroups } from '../browse/CategoryGroups.tsx';
import styles from '../browse/Index.module.css';
import { ListWaiting } from '../components/Skeletons.tsx';
import { NotFoundPage } from './NotFoundPage.tsx';

/** One region: all its auctions, or one category of them. */
export default function RegionPage() {
  const { id = '' } = useParams();
  const { data, problem, reload } = useQuery<api.Catalogue>(API.catalogue);
  const here = useQuery<api.ItemPage>(API.browse({ region: id })).data;
  const region = data?.regions.find((one) => one.id === id);
  if (data && !region) return <NotFoundPage title="Region not found">The address may be mistyped.</NotFoundPage>;
  if (!region) {
    return (
      <>
        <title>Region · Claret Auctions</title>
        {problem ? <ProblemState heading="h1" problem={problem} onRetry={reload} /> : <ListWaiting label="Loading region" />}
      </>
    );
  }
  const total = here?.total ?? null;
  return (
    <>
      <title>{`${regionName(region)} · Claret Auctions`}</title>
      <BrowseNav />
      <div className={styles.head}>
        <div>
          <h1>{regionName(region)}</h1>
          <p className={styles.lead}>
            {total === null ? 'Choose a category.' : `${formatCounted(total, 'open auction', 'open auctions')}`}
          </p>
        </div>
        <Button asChild look="primary">
          <AppLink to={PAGE.browse({ region: id })}>See all auctions here</AppLink>
        </Button>
      </div>
      <CategoryGroups to={(category) => PAGE.browse({ category, region: id })} counts={null} />
    </>
  );
}
