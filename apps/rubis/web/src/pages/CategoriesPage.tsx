import { ProblemState } from '@claret/ui/site';
import { useMemo } from 'react';
import type * as api from '../../../server/api.ts';
import { useQuery } from '../api/client.ts';
import { API, PAGE } from '../api/paths.ts';
import { BrowseNav } from '../browse/BrowseNav.tsx';
import { CategoryGroups } from '../browse/CategoryGroups.tsx';
import styles from '../browse/Index.module.css';
import { ListWaiting } from '../components/Skeletons.tsx';

/** All categories, with their numbers of open auctions. The numbers may arrive later, or not at all. */
export default function CategoriesPage() {
  const { data, problem, reload } = useQuery<api.Catalogue>(API.catalogue);
  const popular = useQuery<api.Popular>(API.popular).data;
  const counts = useMemo(
    () => popular && new Map(popular.categories.map(({ category_id, open_count }) => [category_id, open_count])),
    [popular],
  );
  return (
    <>
      <title>Categories · Claret Auctions</title>
      <BrowseNav />
      <div className={styles.head}>
        <h1>Categories</h1>
      </div>
      {data && <CategoryGroups to={(category) => PAGE.browse({ category })} counts={counts} hasPictures />}
      {!data && (problem ? <ProblemState problem={problem} onRetry={reload} /> : <ListWaiting label="Loading categories" />)}
    </>
  );
}
