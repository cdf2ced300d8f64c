// Placeholders for content that is being loaded.
import { Skeleton, Waiting } from '@claret/ui/kit';
import styles from './Skeletons.module.css';

export function GridWaiting({ count = 8 }: { count?: number }) {
  return (
    <Waiting label="Loading auctions">
      <div className={styles.grid}>
        {Array.from({ length: count }, (_, at) => (
          <div key={at} className={styles.card}>
            <Skeleton height="11.5rem" />
            <Skeleton width="85%" />
            <Skeleton width="45%" height="1.25em" />
          </div>
        ))}
      </div>
    </Waiting>
  );
}

export function PageWaiting({ label }: { label: string }) {
  return (
    <Waiting label={label}>
      <div className={styles.item}>
        <Skeleton height="min(28rem, 70vw)" />
        <div className={styles.stack}>
          <Skeleton width="40%" />
          <Skeleton width="90%" height="2rem" />
          <Skeleton width="55%" height="2.5rem" />
          <Skeleton height="9rem" />
        </div>
      </div>
    </Waiting>
  );
}

export function ListWaiting({ label, count = 6 }: { label: string; count?: number }) {
  return (
    <Waiting label={label}>
      <div className={styles.stack}>
        {Array.from({ length: count }, (_, at) => (
          <Skeleton key={at} height="3.5rem" />
        ))}
      </div>
    </Waiting>
  );
}
