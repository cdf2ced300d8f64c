import { formatCounted, Picture } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import type * as api from '../../../server/api.ts';
import { useQuery } from '../api/client.ts';
import { API, PAGE } from '../api/paths.ts';
import { useCatalogue } from '../api/useCatalogue.ts';
import styles from '../pages/HomePage.module.css';

const SHOWN = 12;

/** The categories with the most open auctions. Optional: shown only once they are known. */
export function PopularCategories({ className }: { className?: string | undefined }) {
  const { data } = useQuery<api.Popular>(API.popular);
  const { catalogue, category } = useCatalogue();
  if (!data || !catalogue) return null;
  return (
    <section className={className} aria-labelledby="popular">
      <div className={styles.head}>
        <h2 id="popular">Popular categories</h2>
        <AppLink to={PAGE.categories}>All categories</AppLink>
      </div>
      <ul className={styles.categories}>
        {data.categories.slice(0, SHOWN).map(({ category_id, open_count }) => (
          <li key={category_id}>
            <AppLink to={PAGE.browse({ category: category_id })} className={styles.category}>
              <div className={styles.categoryPicture}>
                <Picture id={`category ${category_id}`} category={category(category_id)} />
              </div>
              <div>
                <p className={styles.categoryName}>{category(category_id)}</p>
                <p className={styles.categoryCount}>{formatCounted(open_count, 'auction', 'auctions')}</p>
              </div>
            </AppLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
