// The page's one event stream: which items it carries follows what the pages show, and who is logged in.
import { serverClock, useEventSource, type StreamEvent } from '@claret/ui/kit';
import { SESSION_API } from '@claret/ui/site';
import { useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react';
import type * as api from '../../../server/api.ts';
import { get } from '../api/door.ts';
import { API } from '../api/paths.ts';
import { useSession } from '../session.ts';
import { LiveStore } from './liveStore.ts';
import { readBox, writeBox } from './noticeBox.ts';
import { LiveContext } from './useLive.ts';

const CLOCK_EVERY_MS = 120_000;

export function LiveProvider({ children }: { children: ReactNode }) {
  const [store] = useState(() => new LiveStore());
  const { user, isKnown, refresh } = useSession();
  const followed = useSyncExternalStore(store.subscribe, store.followedItems);
  const audience = user?.id ?? '';
  useEffect(() => {
    if (audience === '') return store.welcome([]);
    let { notices } = readBox(audience);
    store.welcome(notices);
    return store.subscribe(() => {
      if (store.snapshot().notices === notices) return;
      ({ notices } = store.snapshot());
      writeBox(audience, { notices });
    });
  }, [store, audience]);
  useClockKeptRight();
  const onEvent = (event: StreamEvent) => {
    store.hear(event.type, event.data);
    // The login has run out, or changed in another window.
    if (event.type === 'hello' && helloUser(event.data) !== audience) void refresh();
  };
  const connection = useEventSource(isKnown ? API.live(followed) : null, audience, onEvent);
  return <LiveContext value={useMemo(() => ({ store, connection }), [store, connection])}>{children}</LiveContext>;
}

/** Whom the stream takes us for: '' for nobody. */
function helloUser(data: string): string {
  return (JSON.parse(data) as api.LiveHello).user?.id ?? '';
}

/** Every answer of the server sets the clock; a page that only listens asks for the time now and then. */
function useClockKeptRight(): void {
  useEffect(() => {
    const timer = window.setInterval(() => {
      if (document.visibilityState === 'visible') void get(SESSION_API.session).catch(() => serverClock.now());
    }, CLOCK_EVERY_MS);
    return () => window.clearInterval(timer);
  }, []);
}
