import { classes, formatCounted, Picture } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import type * as api from '../../../server/api.ts';
import { useCatalogue } from '../api/useCatalogue.ts';
import styles from './Index.module.css';

export interface CategoryGroupsProps {
  /** the path of a category's page */
  to(category_id: string): string;
  /** open auctions by category id; null while unknown: then no counts are shown */
  counts: ReadonlyMap<string, number> | null;
  /** pictures suit a page about categories; on a region's page they would distract */
  hasPictures?: boolean;
}

/** Every category, under its group. */
export function CategoryGroups({ to, counts, hasPictures = false }: CategoryGroupsProps) {
  const { groups } = useCatalogue();
  return (
    <ul className={classes(styles.groups, hasPictures && styles.drawn)}>
      {[...groups].map(([group, categories]) => (
        <li key={group} className={styles.group}>
          {hasPictures && <Drawing categories={categories} />}
          <div>
            <h2 className={styles.groupName}>{group}</h2>
            <ul className={styles.links}>
              {categories.map(({ id, name }) => (
                <li key={id}>
                  <AppLink to={to(id)} className={styles.link}>
                    <span>{name}</span>
                    {counts && (
                      <span className={styles.count} aria-label={formatCounted(counts.get(id) ?? 0, 'auction', 'auctions')}>
                        {counts.get(id) ?? 0}
                      </span>
                    )}
                  </AppLink>
                </li>
              ))}
            </ul>
          </div>
        </li>
      ))}
    </ul>
  );
}

function Drawing({ categories: [first] }: { categories: readonly api.Category[] }) {
  const { category } = useCatalogue();
  if (!first) return null;
  return (
    <div className={styles.drawing}>
      <Picture id={`category ${first.id}`} category={category(first.id)} />
    </div>
  );
}
