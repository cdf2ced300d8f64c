import { AppLink } from '@claret/ui/site';
import { PAGE } from '../api/paths.ts';
import styles from './Footer.module.css';

export function Footer() {
  return (
    <div className={styles.footer}>
      <div className={styles.row}>
        <p>This is a demo. No money changes hands. Every bid is a database transaction.</p>
        <nav aria-label="Footer" className={styles.links}>
          <AppLink to={PAGE.browse()}>All auctions</AppLink>
          <AppLink to={PAGE.sell}>Sell something</AppLink>
          <AppLink to={PAGE.me}>My bids and sales</AppLink>
        </nav>
      </div>
    </div>
  );
}
