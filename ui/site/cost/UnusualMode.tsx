import { useEffect } from 'react';
import { CONDITIONS_API } from '../api/addresses.ts';
import { queries, useQuery } from '../api/useQuery.ts';
import type { Conditions } from '../session/visit.ts';
import styles from './CostFooter.module.css';

const AGAIN_MS = 15_000;

/** A notice in the footer while the cluster is not in its normal mode. */
export function UnusualMode() {
  const { data } = useQuery<Conditions>(CONDITIONS_API);
  useEffect(() => {
    const timer = window.setInterval(() => {
      if (document.visibilityState === 'visible') void queries.load(CONDITIONS_API);
    }, AGAIN_MS);
    return () => window.clearInterval(timer);
  }, []);
  const words = data?.unusual ?? null;
  return (
    <div role="status">
      {words !== null && <p className={styles.mode}>The cluster is not in its normal mode ({words}), so pages may be slower.</p>}
    </div>
  );
}
