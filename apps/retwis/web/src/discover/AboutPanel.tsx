import { AppLink } from '@claret/ui/site';
import { PAGE } from '../api/paths.ts';
import styles from './Panel.module.css';

/** What this site is there to show, in a breath. */
export function AboutPanel() {
  return (
    <section className={styles.panel} aria-labelledby="panel-about">
      <h2 id="panel-about">All at once, or not at all</h2>
      <p className={styles.words}>
        What you post comes to the timelines of all who follow you in one transaction: when it is there for one, it is there
        for everybody. However many repost it, nobody has to queue.
      </p>
      <AppLink to={PAGE.about} className={styles.more}>
        How this works
      </AppLink>
    </section>
  );
}
