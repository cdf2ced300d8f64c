import { AppNavLink } from '@claret/ui/site';
import { PAGE } from '../api/paths.ts';
import styles from './BrowseNav.module.css';

/** The ways to look around: everything, by kind of thing, by place. */
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
