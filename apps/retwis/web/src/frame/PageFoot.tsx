import { AppLink } from '@claret/ui/site';
import { PAGE } from '../api/paths.ts';
import styles from './PageFoot.module.css';

export function PageFoot() {
  return (
    <div className={styles.foot}>
      <p>
        A demonstration site: every post is a real transaction. <AppLink to={PAGE.about}>How this works</AppLink>
      </p>
    </div>
  );
}
