import { classes } from '@claret/ui/kit';
import styles from './LengthRing.module.css';
import { GRAPHEMES_MAX, NEAR_END, type PostLength } from './postLength.ts';

const RADIUS = 10;
const AROUND = 2 * Math.PI * RADIUS;

/** The used share of a post's length, as a ring; near the limit and beyond it also the number of characters left. */
export function LengthRing({ length: { graphemes, left } }: { length: PostLength }) {
  const used = Math.min(1, graphemes / GRAPHEMES_MAX);
  const isNear = left <= NEAR_END;
  return (
    <span className={classes(styles.ring, isNear && styles.near, left < 0 && styles.over)} aria-hidden="true">
      {isNear && <span className="figures">{left}</span>}
      <svg width="26" height="26" viewBox="0 0 26 26">
        <circle cx="13" cy="13" r={RADIUS} className={styles.track} />
        <circle
          cx="13"
          cy="13"
          r={RADIUS}
          className={styles.used}
          strokeDasharray={`${used * AROUND} ${AROUND}`}
          transform="rotate(-90 13 13)"
        />
      </svg>
    </span>
  );
}
