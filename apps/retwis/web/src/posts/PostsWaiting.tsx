import { Skeleton, Waiting } from '@claret/ui/kit';
import styles from './PostsWaiting.module.css';

/** Placeholders for a list of posts. */
export function PostsWaiting({ label = 'posts', count = 6 }: { label?: string; count?: number }) {
  return (
    <Waiting label={`Loading ${label}`}>
      {Array.from({ length: count }, (_, at) => (
        <div key={at} className={styles.card}>
          <Skeleton width="44px" height="44px" />
          <div>
            <Skeleton width="8rem" />
            <Skeleton width={at % 2 === 0 ? '95%' : '80%'} />
            <Skeleton width={at % 3 === 0 ? '60%' : '35%'} />
          </div>
        </div>
      ))}
    </Waiting>
  );
}
