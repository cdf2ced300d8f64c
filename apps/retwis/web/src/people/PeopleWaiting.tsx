import { Skeleton, Waiting } from '@claret/ui/kit';
import styles from './PeopleList.module.css';

const COUNT = 6;

/** Placeholders for a list of people. */
export function PeopleWaiting() {
  return (
    <Waiting label="Loading people">
      {Array.from({ length: COUNT }, (_, at) => (
        <div key={at} className={styles.bone}>
          <Skeleton width="2.75rem" height="2.75rem" />
          <div>
            <Skeleton width="9rem" />
            <Skeleton width="6rem" height="0.8em" />
          </div>
        </div>
      ))}
    </Waiting>
  );
}
