import { Button, classes, EmptyState } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { ArrowRight, Search } from 'lucide-react';
import { useSearchParams } from 'react-router';
import type * as api from '../../../server/api.ts';
import { useQuery } from '../api/client.ts';
import { API, PAGE } from '../api/paths.ts';
import { useCatalogue } from '../api/useCatalogue.ts';
import { BrowseFilters, type Filter } from '../components/BrowseFilters.tsx';
import { FilterChips } from '../components/FilterChips.tsx';
import { ItemList } from '../components/ItemList.tsx';
import styles from './BrowsePage.module.css';

export default function SearchPage() {
  const [query] = useSearchParams();
  const words = query.get('q')?.trim() ?? '';
  return (
    <>
      <title>{`${words || 'Search'} · Claret Auctions`}</title>
      {words ? (
        <Results words={words} filter={{ category: query.get('category'), region: query.get('region') }} />
      ) : (
        <EmptyState heading="h1" icon={<Search size={26} />} title="What are you looking for?">
          Type a word or two in the search box. It searches the titles of all open auctions.
        </EmptyState>
      )}
    </>
  );
}

function Results({ words, filter }: { words: string; filter: Filter }) {
  const path = API.search(words, filter);
  const { data } = useQuery<api.SearchPage>(path);
  const to = (next: Filter) => PAGE.search(words, next);
  const isFiltered = Boolean(filter.category || filter.region);
  return (
    <div className={styles.page}>
      <BrowseFilters {...filter} to={to} />
      <section aria-labelledby="list">
        <div className={styles.head}>
          <h1 id="list">
            Auctions for “<bdi>{words}</bdi>”
          </h1>
          {data?.items.length !== 0 && <p className={styles.order}>Ending soonest first</p>}
        </div>
        {data && !isFiltered && <Categories ids={data.categories} />}
        <FilterChips {...filter} to={to} />
        {data && <Instead instead={data.instead} />}
        <ItemList
          key={path}
          path={path}
          label={`Auctions for ${words}`}
          empty={<NothingFound words={words} wider={isFiltered ? PAGE.search(words) : null} />}
        />
      </section>
    </div>
  );
}

/** The words without a match, and the words that were searched for instead. */
function Instead({ instead }: { instead: api.SearchPage['instead'] }) {
  const replaced = instead.filter(({ words }) => words.length > 0);
  if (replaced.length === 0) return null;
  return (
    <p className={classes(styles.order, styles.instead)} role="status">
      {replaced.map(({ asked, words }) => (
        <span key={asked}>
          Nothing has “{asked}” in its title. Showing results for <strong>{words.join(', ')}</strong>.{' '}
        </span>
      ))}
    </p>
  );
}

function Categories({ ids }: { ids: readonly string[] }) {
  const { category } = useCatalogue();
  if (ids.length === 0) return null;
  return (
    <p className={styles.chips}>
      {ids.map((id) => (
        <Button key={id} asChild size="small">
          <AppLink to={PAGE.browse({ category: id })}>
            Browse all {category(id) || 'of this category'}
            <ArrowRight size={15} aria-hidden="true" />
          </AppLink>
        </Button>
      ))}
    </p>
  );
}

/** `wider`: the path of the same search without filters; null: it has none. */
function NothingFound({ words, wider }: { words: string; wider: string | null }) {
  return (
    <EmptyState
      icon={<Search size={26} />}
      title={`No auctions found for “${words}”`}
      actions={
        <Button asChild look="primary">
          <AppLink to={wider ?? PAGE.browse()}>{wider ? 'Search everywhere' : 'Browse all auctions'}</AppLink>
        </Button>
      }
    >
      {wider ? 'There’s nothing in this category or region.' : 'Results must contain every word you typed. Try fewer or different words.'}
    </EmptyState>
  );
}
