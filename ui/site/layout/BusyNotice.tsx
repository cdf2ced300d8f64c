import { useSyncExternalStore } from 'react';
import { patience } from '../api/patience.ts';
import styles from './BusyNotice.module.css';

/** A notice while the site is very busy and requests wait for their retry. */
export function BusyNotice() {
  const isWaiting = useSyncExternalStore(patience.subscribe, patience.isWaiting);
  return (
    <div role="status" className={styles.place}>
      {isWaiting && (
        <p className={styles.notice}>
          <span className={styles.dot} aria-hidden="true" />
          The site is very busy. Retrying…
        </p>
      )}
    </div>
  );
}
