import { useCallback, useRef, useSyncExternalStore } from 'react';
import { secondsLeft } from '../format/time.ts';
import { ServerClock } from '../live/serverClock.ts';

/** the page's one clock, set by every answer with the server's time */
export const serverClock = new ServerClock(() => performance.now(), Date.now());

const SECOND_MS = 1_000;

/** Calls back at each whole second before `end_ms` on the server's clock, or each minute while more than an hour is left. */
function tick(end_ms: number, onTick: () => void): () => void {
  let timer = 0;
  const plan = () => {
    const left_ms = end_ms - serverClock.now();
    if (left_ms <= 0) return;
    const toNextSecond_ms = left_ms % SECOND_MS || SECOND_MS;
    const wait_ms = left_ms > 3_600_000 ? 60_000 : toNextSecond_ms;
    timer = window.setTimeout(() => {
      onTick();
      plan();
    }, wait_ms + 1);
  };
  const restart = () => {
    window.clearTimeout(timer);
    onTick();
    plan();
  };
  plan();
  const stop = serverClock.subscribe(restart);
  document.addEventListener('visibilitychange', restart);
  return () => {
    window.clearTimeout(timer);
    stop();
    document.removeEventListener('visibilitychange', restart);
  };
}

/** The whole seconds until `end_ms` by the server's clock, kept up to date. */
export function useSecondsLeft(end_ms: number): number {
  const subscribe = useCallback((onTick: () => void) => tick(end_ms, onTick), [end_ms]);
  return useSyncExternalStore(subscribe, () => secondsLeft(end_ms, serverClock.now()));
}

/** The server's time, updated every `every_ms`: for "3 minutes ago". */
export function useServerNow(every_ms = 15_000): number {
  const now = useRef(serverClock.now());
  const subscribe = useCallback(
    (onTick: () => void) => {
      const timer = window.setInterval(() => {
        now.current = serverClock.now();
        onTick();
      }, every_ms);
      return () => window.clearInterval(timer);
    },
    [every_ms],
  );
  return useSyncExternalStore(subscribe, () => now.current);
}
