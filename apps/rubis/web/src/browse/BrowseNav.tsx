import { AppNavLink } from '@claret/ui/site';
import { PAGE } from '../api/paths.ts';
import styles from './BrowseNav.module.css';

/** Navigation between the ways to browse: everything, by category, by region. */
export function BrowseNav() {
  return (
    <nav className={styles.nav} aria-label="Ways to browse">
      <AppNavLink to={PAGE.browse()} end>
        All auctions
      </AppNavLink>
      <AppNavLink to={PAGE.categories}>Categories</AppNavLink>
      <AppNavLink to={PAGE.regions}>Regions</AppNavLink>
    </nav>
  );
}
