// The doors of React to time: the axis, what it follows, and values of the span that it shows.
import { createContext, use, useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react';
import { frameLoop } from '../chart/frameLoop.ts';
import { useStore } from '../feed/useFeed.tsx';
import type { TelemetryStore } from '../store/telemetryStore.ts';
import { Beat, type BeatClock } from './beat.ts';
import { Playhead } from './playhead.ts';
import { TimeAxis, type Span } from './timeAxis.ts';

const TimeContext = createContext<{ axis: TimeAxis; beat: Beat } | null>(null);

const browser: BeatClock = {
  now: () => performance.now(),
  setTimeout: (run, delay_ms) => window.setTimeout(run, delay_ms),
  clearTimeout: (timer) => window.clearTimeout(timer),
};

/** Who wants no motion gets an axis that goes on in steps of a second. */
const STILL_STEP_MS = 1_000;

/** Stands within the feed's provider: the axis follows what the store knows. */
export function TimeProvider({ children }: { children: ReactNode }) {
  const store = useStore();
  const [axis] = useState(() => new TimeAxis());
  const time = useMemo(() => ({ axis, beat: new Beat(store, axis, browser) }), [store, axis]);
  useEffect(() => drive(axis, store), [axis, store]);
  return <TimeContext value={time}>{children}</TimeContext>;
}

function drive(axis: TimeAxis, store: TelemetryStore): () => void {
  const still = window.matchMedia('(prefers-reduced-motion: reduce)');
  let playhead = new Playhead();
  let wasEmpty = true;
  axis.reset();
  return frameLoop.onFrame((now_ms) => {
    const { newest_ms } = store;
    if (newest_ms === null) {
      if (!wasEmpty) axis.reset();
      playhead = new Playhead();
      wasEmpty = true;
      return;
    }
    wasEmpty = false;
    const edge_ms = playhead.step(newest_ms, now_ms);
    axis.advance(still.matches ? Math.floor(edge_ms / STILL_STEP_MS) * STILL_STEP_MS : edge_ms);
  });
}

function useTime(): { axis: TimeAxis; beat: Beat } {
  const time = use(TimeContext);
  if (time === null) throw new Error('outside of TimeProvider');
  return time;
}

/** The page's axis, always the same object: for who draws, or acts. */
export function useTimeAxis(): TimeAxis {
  return useTime().axis;
}

/** Whether the axis follows what is newest; renders again when that changes. */
export function useFollowing(): boolean {
  const axis = useTimeAxis();
  return useSyncExternalStore(
    (onChange) => axis.onChange(onChange),
    () => axis.following,
  );
}

/** A value of what is known and shown now; looked at anew at most four times a second. `read` must not be costly. */
export function useTelemetry<Value>(read: (store: TelemetryStore, span: Span, axis: TimeAxis) => Value): Value {
  const store = useStore();
  const { axis, beat } = useTime();
  useSyncExternalStore(
    (onBeat) => beat.subscribe(onBeat),
    () => beat.count,
  );
  return read(store, axis.span, axis);
}
