// Filters: categories as a list or, in little space, as a select field; regions as a select field. Both are part of the URL, so that a view
// can be bookmarked and shared.
import { classes, SelectField } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { ChevronRight } from 'lucide-react';
import { useNavigate } from 'react-router';
import { useCatalogue } from '../api/useCatalogue.ts';
import styles from '../pages/BrowsePage.module.css';
import { CategoryOptions, RegionOptions } from './CatalogueOptions.tsx';

export interface Filter {
  category: string | null;
  region: string | null;
}

export interface BrowseFiltersProps extends Filter {
  /** the path of the same list with another filter */
  to(filter: Filter): string;
}

export function BrowseFilters({ category, region, to }: BrowseFiltersProps) {
  const { groups } = useCatalogue();
  const navigate = useNavigate();
  const go = (filter: Filter) => void navigate(to(filter), { preventScrollReset: true });
  return (
    <aside className={styles.filters} aria-label="Filters">
      <SelectField label="Region" value={region ?? ''} onChange={(event) => go({ category, region: event.target.value })}>
        <option value="">All regions</option>
        <RegionOptions />
      </SelectField>
      <SelectField
        className={styles.narrow!}
        label="Category"
        value={category ?? ''}
        onChange={(event) => go({ category: event.target.value, region })}
      >
        <option value="">All categories</option>
        <CategoryOptions />
      </SelectField>
      <nav className={classes(styles.groups, styles.wide)} aria-label="Categories">
        <p className={styles.label}>Category</p>
        <AppLink to={to({ category: null, region })} className={classes(styles.option, styles.all)} aria-current={!category}>
          All categories
        </AppLink>
        {[...groups].map(([group, halves]) => (
          <details key={`${group} ${halves.some(({ id }) => id === category)}`} open={halves.some(({ id }) => id === category)}>
            <summary>
              {group}
              <ChevronRight size={16} aria-hidden="true" />
            </summary>
            {halves.map(({ id, name }) => (
              <AppLink key={id} to={to({ category: id, region })} className={styles.option} aria-current={id === category}>
                {name}
              </AppLink>
            ))}
          </details>
        ))}
      </nav>
    </aside>
  );
}
