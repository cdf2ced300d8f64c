import { AppLink } from '@claret/ui/site';
import { PAGE } from '../api/paths.ts';
import styles from './PageFoot.module.css';

export function PageFoot() {
  return (
    <div className={styles.foot}>
      <p>
        A demonstration site: every post is a real transaction. Read <AppLink to={PAGE.about}>how this works</AppLink> and{' '}
        <AppLink to={`${PAGE.about}#cost`}>what a page costs</AppLink>.
      </p>
    </div>
  );
}
