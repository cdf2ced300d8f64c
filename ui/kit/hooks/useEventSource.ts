import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { EventStream, type ConnectionState, type EventStreamWorld } from '../live/eventStream.ts';
import type { StreamEvent } from '../live/sseParser.ts';

const browser: EventStreamWorld = {
  fetch: (url, init) => fetch(url, { ...init, cache: 'no-store', credentials: 'same-origin' }),
  setTimeout: (run, delay_ms) => window.setTimeout(run, delay_ms),
  clearTimeout: (timer) => window.clearTimeout(timer),
  random: () => Math.random(),
  isOnline: () => navigator.onLine,
};

/** A hidden window keeps its connection for this time; then it frees it, since a browser has only a few per site. */
const UNSEEN_MS = 5_000;

/** A new stream that opens within this time does not count as a lost connection. */
const CHANGE_MS = 2_000;

/**
 * Listens to `url` while it is not null and the component is mounted. Another url or another `audience` (the logged-in person) opens
 * another stream, which resumes where the one before stopped. A hidden page closes its connection after a while and resumes when it is
 * visible; one that opens hidden has no connection before. Returns the state of the connection.
 */
export function useEventSource(url: string | null, audience: string, onEvent: (event: StreamEvent) => void): ConnectionState {
  const [state, setState] = useState<ConnectionState>('connecting');
  const lastEventId = useRef('');
  const wasLive = useRef(false);
  const deliver = useEffectEvent((event: StreamEvent) => {
    lastEventId.current = event.id;
    onEvent(event);
  });
  useEffect(() => {
    if (url === null) return;
    let isFirst = true;
    let changeTimer = 0;
    const onState = (next: ConnectionState) => {
      window.clearTimeout(changeTimer);
      // A quick change to another stream is not reported: the content shown stays as current as it was.
      if (isFirst && next !== 'offline') changeTimer = window.setTimeout(() => setState(next), CHANGE_MS);
      else setState(next);
      isFirst = false;
      wasLive.current ||= next === 'live';
    };
    const stream = new EventStream(
      {
        url,
        lastEventId: lastEventId.current,
        wasLive: wasLive.current,
        isAtRest: document.visibilityState !== 'visible',
        onEvent: (event) => deliver(event),
        onState,
      },
      browser,
    );
    let restTimer = 0;
    const attend = () => {
      window.clearTimeout(restTimer);
      if (document.visibilityState === 'visible') stream.wake();
      else restTimer = window.setTimeout(() => stream.rest(), UNSEEN_MS);
    };
    attend();
    const sleep = () => stream.sleep();
    window.addEventListener('online', attend);
    window.addEventListener('offline', sleep);
    document.addEventListener('visibilitychange', attend);
    return () => {
      window.clearTimeout(changeTimer);
      window.clearTimeout(restTimer);
      window.removeEventListener('online', attend);
      window.removeEventListener('offline', sleep);
      document.removeEventListener('visibilitychange', attend);
      stream.close();
    };
  }, [url, audience]);
  return state;
}
