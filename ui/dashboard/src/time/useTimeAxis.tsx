// The doors of React to the time axis.
import { createContext, use, useState, useSyncExternalStore, type ReactNode } from 'react';
import { TimeAxis } from './timeAxis.ts';

const TimeContext = createContext<TimeAxis | null>(null);

export function TimeProvider({ children }: { children: ReactNode }) {
  const [axis] = useState(() => new TimeAxis());
  return <TimeContext value={axis}>{children}</TimeContext>;
}

/** The page's axis, always the same object: for who draws, or acts. */
export function useTimeAxis(): TimeAxis {
  const axis = use(TimeContext);
  if (axis === null) throw new Error('outside of TimeProvider');
  return axis;
}

/** Renders again when it starts or stops following. */
export function useFollowing(): boolean {
  const axis = useTimeAxis();
  return useSyncExternalStore(
    (onChange) => axis.onChange(onChange),
    () => axis.following,
  );
}
