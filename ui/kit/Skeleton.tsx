import type { ReactNode } from 'react';
import { useDelayed } from './hooks/useDelayed.ts';
import styles from './Skeleton.module.css';

const DELAY_MS = 300;

/** Shows its placeholder only after a noticeable wait; the wait is announced once. */
export function Waiting({ label = 'Loading', children }: { label?: string; children: ReactNode }) {
  const isLong = useDelayed(DELAY_MS);
  return (
    <div role="status" aria-busy="true">
      {isLong && (
        <>
          <span className="visually-hidden">{label}…</span>
          <div aria-hidden="true">{children}</div>
        </>
      )}
    </div>
  );
}

/** A grey shape; sizes are CSS lengths. */
export function Skeleton({ width = '100%', height = '1em' }: { width?: string; height?: string }) {
  return <span className={styles.bone} style={{ width, height }} />;
}
