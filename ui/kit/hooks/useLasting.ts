import { useEffect, useState } from 'react';

/** How long a notice says that a trouble is over. */
const OVER_MS = 6_000;

export interface Lasting<Trouble> {
  /** the present trouble, once it has lasted; null: none */
  trouble: Trouble | null;
  /** the last trouble, for a while after its end; null: none that was shown */
  over: Trouble | null;
}

/** What a notice of a trouble shows: nothing while the trouble is short, then the trouble, and for a while that it is over. */
export function useLasting<Trouble>(trouble: Trouble | null, hiccup_ms: number): Lasting<Trouble> {
  const [phase, setPhase] = useState<'calm' | 'trouble' | 'over'>('calm');
  const [last, setLast] = useState(trouble);
  if (trouble !== null && trouble !== last) setLast(trouble);
  const isThere = trouble !== null;
  useEffect(() => {
    if (!isThere) setPhase((before) => (before === 'trouble' ? 'over' : before));
    const timer = window.setTimeout(() => setPhase(isThere ? 'trouble' : 'calm'), isThere ? hiccup_ms : OVER_MS);
    return () => window.clearTimeout(timer);
  }, [isThere, hiccup_ms]);
  return { trouble: phase === 'trouble' ? trouble : null, over: phase === 'over' && !isThere ? last : null };
}
