import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { attend, browser } from '../live/browser.ts';
import type { ConnectionState } from '../live/eventStream.ts';
import { SharedStream } from '../live/sharedStream.ts';
import type { StreamEvent } from '../live/sseParser.ts';

/** A page that is hidden for a moment keeps its part in the stream. */
const UNSEEN_MS = 5_000;

/**
 * Listens to what `query` asks for while it is not null and the component is mounted: on a stream that all visible pages of the site
 * share, whose URL is `address` of their queries. Another query or another `audience` (the logged-in person) opens another stream, which
 * resumes where the one before stopped. A hidden page has no part in it after a while, and resumes when it is visible. Returns the state
 * of the connection.
 */
export function useEventSource<Query>(
  query: Query | null,
  audience: string,
  address: (queries: readonly Query[]) => string,
  onEvent: (event: StreamEvent) => void,
): ConnectionState {
  const [state, setState] = useState<ConnectionState>('connecting');
  const shared = useRef<SharedStream<Query>>(null);
  const asked = useRef('');
  const deliver = useEffectEvent(onEvent);
  const addressOf = useEffectEvent(address);
  useEffect(() => {
    const stream = new SharedStream<Query>(
      {
        name: `live ${import.meta.url}`, // pages of another build may ask in another form
        address: (queries) => addressOf(queries),
        onEvent: (event) => deliver(event),
        onState: setState,
      },
      browser,
    );
    shared.current = stream;
    if (document.visibilityState === 'visible') stream.wake();
    const unattend = attend(stream, UNSEEN_MS);
    return () => {
      unattend();
      stream.close();
      shared.current = null;
    };
  }, []);
  useEffect(() => {
    if (query === null) return;
    shared.current?.ask(query, asked.current !== audience);
    asked.current = audience;
  }, [query, audience]);
  return state;
}
