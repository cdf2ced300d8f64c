import { useEffect } from 'react';
import { queries, useQuery } from '../api/useQuery.ts';
import { unusual, type Conditions } from './conditionWords.ts';
import styles from './CostFooter.module.css';

const PATH = '/api/conditions';
const AGAIN_MS = 15_000;

/** Says so, in the footer, while somebody has switched the cluster to another way of settling conflicts. */
export function UnusualMode() {
  const { data } = useQuery<{ conditions: Conditions | null }>(PATH);
  useEffect(() => {
    const timer = window.setInterval(() => {
      if (document.visibilityState === 'visible') void queries.load(PATH);
    }, AGAIN_MS);
    return () => window.clearInterval(timer);
  }, []);
  const words = data?.conditions ? unusual(data.conditions) : null;
  return (
    <div role="status">
      {words !== null && <p className={styles.mode}>The cluster is not in its normal mode ({words}), so pages may be slower.</p>}
    </div>
  );
}
