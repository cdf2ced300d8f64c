import { AppLink } from '@claret/ui/site';
import { PAGE } from '../api/paths.ts';
import styles from './Panel.module.css';

/** The purpose of this site in a few words. */
export function AboutPanel() {
  return (
    <section className={styles.panel} aria-labelledby="panel-about">
      <h2 id="panel-about">All followers or none</h2>
      <p className={styles.words}>
        A post reaches all your followers’ timelines in one transaction: either everyone gets it or no one does. However many people repost
        it, reposts never wait for each other.
      </p>
      <AppLink to={PAGE.about} className={styles.more}>
        How this works
      </AppLink>
    </section>
  );
}
