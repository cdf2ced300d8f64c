import { useEffect, useState } from 'react';

/** True once `delay_ms` have passed, so that a short wait shows no placeholder. */
export function useDelayed(delay_ms: number): boolean {
  const [isOver, setOver] = useState(delay_ms <= 0);
  useEffect(() => {
    const timer = window.setTimeout(() => setOver(true), delay_ms);
    return () => window.clearTimeout(timer);
  }, [delay_ms]);
  return isOver;
}
