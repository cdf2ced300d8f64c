// React's access to time: the axis, its source, and values of the shown span.
import { createContext, use, useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react';
import { animationLoop } from '../chart/animationLoop.ts';
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

/** For users who prefer reduced motion the axis advances in steps of a second. */
const STILL_STEP_MS = 1_000;

/** Must be inside the feed's provider, because the axis follows the store. */
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
  return animationLoop.onFrame((now_ms) => {
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

/** The page's axis, always the same object: for drawings and actions. */
export function useTimeAxis(): TimeAxis {
  return useTime().axis;
}

/** Whether the axis follows the newest data; renders again when that changes. */
export function useFollowing(): boolean {
  const axis = useTimeAxis();
  return useSyncExternalStore(
    (onChange) => axis.onChange(onChange),
    () => axis.following,
  );
}

/** A value of the current store and span, evaluated at most four times a second. `read` must be cheap. */
export function useTelemetry<Value>(read: (store: TelemetryStore, span: Span, axis: TimeAxis) => Value): Value {
  const store = useStore();
  const { axis, beat } = useTime();
  useSyncExternalStore(
    (onBeat) => beat.subscribe(onBeat),
    () => beat.count,
  );
  return read(store, axis.span, axis);
}
