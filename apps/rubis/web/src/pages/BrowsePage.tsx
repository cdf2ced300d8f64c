import { Button, EmptyState } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { PackageOpen } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { API, PAGE } from '../api/paths.ts';
import { useCatalogue } from '../api/useCatalogue.ts';
import { BrowseNav } from '../browse/BrowseNav.tsx';
import { BrowseFilters } from '../components/BrowseFilters.tsx';
import { FilterChips } from '../components/FilterChips.tsx';
import { ItemList } from '../components/ItemList.tsx';
import styles from './BrowsePage.module.css';
import { NotFoundPage } from './NotFoundPage.tsx';

export default function BrowsePage() {
  const [query] = useSearchParams();
  const names = useCatalogue();
  const category = query.get('category');
  const region = query.get('region');
  const what = category ? names.category(category) || 'Auctions' : 'All auctions';
  const where = region ? names.region(region) : '';
  const title = where ? `${what} in ${where}` : what;
  const path = API.browse({ category, region });
  if (names.catalogue && category && !names.category(category))
    return <NotFoundPage title="Category not found">The address may be mistyped.</NotFoundPage>;
  if (names.catalogue && region && !where) return <NotFoundPage title="Region not found">The address may be mistyped.</NotFoundPage>;
  return (
    <>
      <title>{`${title} · Claret Auctions`}</title>
      <BrowseNav />
      <div className={styles.page}>
        <BrowseFilters category={category} region={region} to={PAGE.browse} />
        <section aria-labelledby="list">
          <div className={styles.head}>
            <h1 id="list">{title}</h1>
            <p className={styles.order}>Ending soonest first</p>
          </div>
          <FilterChips category={category} region={region} to={PAGE.browse} />
          <ItemList key={path} path={path} label={title} empty={<NothingHere isFiltered={Boolean(category || region)} />} />
        </section>
      </div>
    </>
  );
}

function NothingHere({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState
      icon={<PackageOpen size={26} />}
      title="No open auctions here"
      actions={
        <>
          {isFiltered && (
            <Button asChild look="primary">
              <AppLink to={PAGE.browse()}>See all auctions</AppLink>
            </Button>
          )}
          <Button asChild look={isFiltered ? 'plain' : 'primary'}>
            <AppLink to={PAGE.sell}>Sell something</AppLink>
          </Button>
        </>
      }
    >
      {isFiltered ? 'Try another category or region.' : 'Every auction has ended. Be the first to sell something.'}
    </EmptyState>
  );
}
