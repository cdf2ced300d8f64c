import { AppLink } from '@claret/ui/site';
import { PAGE } from '../api/paths.ts';
import styles from './PageFoot.module.css';

export function PageFoot() {
  return (
    <div className={styles.foot}>
      <p>
        This is a demo. Every post is a database transaction. See <AppLink to={PAGE.about}>how this works</AppLink> and{' '}
        <AppLink to={`${PAGE.about}#cost`}>what a page costs the database</AppLink>.
      </p>
    </div>
  );
}
