import { useEffect, useEffectEvent, useState } from 'react';
import { EventStream, type ConnectionState, type EventStreamWorld } from '../live/eventStream.ts';
import type { StreamEvent } from '../live/sseParser.ts';

const browser: EventStreamWorld = {
  fetch: (url, init) => fetch(url, { ...init, cache: 'no-store', credentials: 'same-origin' }),
  setTimeout: (run, delay_ms) => window.setTimeout(run, delay_ms),
  clearTimeout: (timer) => window.clearTimeout(timer),
  random: () => Math.random(),
  isOnline: () => navigator.onLine,
};

/** Listens to `url` while it is not null and the component lives. Returns how the line is. */
export function useEventSource(url: string | null, onEvent: (event: StreamEvent) => void): ConnectionState {
  const [state, setState] = useState<ConnectionState>('connecting');
  const deliver = useEffectEvent(onEvent);
  useEffect(() => {
    if (url === null) return;
    const stream = new EventStream({ url, onEvent: (event) => deliver(event), onState: setState }, browser);
    const wake = () => stream.wake();
    const wakeWhenSeen = () => void (document.visibilityState === 'visible' && stream.wake());
    const sleep = () => stream.sleep();
    window.addEventListener('online', wake);
    window.addEventListener('offline', sleep);
    document.addEventListener('visibilitychange', wakeWhenSeen);
    return () => {
      window.removeEventListener('online', wake);
      window.removeEventListener('offline', sleep);
      document.removeEventListener('visibilitychange', wakeWhenSeen);
      stream.close();
    };
  }, [url]);
  return state;
}
