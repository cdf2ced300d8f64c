// The live part of a site: an event stream, shared by all visible pages, with the data that their components subscribe to, for the
// logged-in person.
import { serverClock, useEventSource, type ConnectionStateName, type StreamEvent } from '@claret/ui/kit';
import { createContext, use, useEffect, useEffectEvent, useSyncExternalStore, type ComponentType, type ReactNode } from 'react';
import { SESSION_API } from '../api/addresses.ts';
import { get } from '../api/client.ts';
import { queries } from '../api/useQuery.ts';
import { useSession } from '../session/useSession.ts';
import { LiveStore, readEvent, type LiveRules } from './liveStore.ts';
import { troubleOf, type Trouble } from './trouble.ts';
import { whenLoaded } from './whenLoaded.ts';

const CLOCK_EVERY_MS = 120_000;

export interface Live<State, Wish, Query> {
  store: LiveStore<State, Wish, Query>;
  Provider: ComponentType<{ children: ReactNode }>;
  /** A part of the stream's state. REQUIRES: `pick` returns the same object while the part does not change. */
  useLive<Selected>(pick: (state: State) => Selected): Selected;
  /** Subscribes to `wish` while the component is mounted; null subscribes to nothing. `key` identifies equal wishes. */
  useWish(wish: Wish | null, key: string): void;
  /** The state of the connection; also stale while the app server itself cannot reach the store. */
  useConnection(): ConnectionStateName;
  /** Why the page may be out of date; null: it is live, or being opened. */
  useTrouble(): Trouble | null;
}

/**
 * `welcome` is called when another person logs in or out (with their id, '' if logged out): it initializes the store for them and may
 * return a cleanup function. Without it the store's state is reset.
 */
export function createLive<State, Wish, Query>(
  rules: LiveRules<State, Wish, Query>,
  welcome?: (store: LiveStore<State, Wish, Query>, person_id: string) => void | (() => void),
): Live<State, Wish, Query> {
  const store = new LiveStore(rules);
  const Connection = createContext<ConnectionStateName>('connecting');

  function Provider({ children }: { children: ReactNode }) {
    const { user, isKnown, refresh } = useSession();
    const query = useSyncExternalStore(store.subscribe, store.query);
    const audience = user?.id ?? '';
    useEffect(() => (welcome ? welcome(store, audience) : store.change(() => rules.silent)), [audience]);
    useEffect(() => (isKnown ? whenLoaded(() => store.start()) : undefined), [isKnown]);
    useClockKeptRight();
    const onEvent = (event: StreamEvent) => {
      store.hear(event.type, event.data);
      // The session has expired, or changed in another window.
      if (event.type === 'hello' && helloUser(event.data) !== audience) void refresh();
    };
    const connection = useEventSource(isKnown ? query : null, audience, rules.address, onEvent);
    const isStoreReachable = useSyncExternalStore(store.subscribe, store.isStoreReachable);
    useEffect(() => void (connection === 'live' && isStoreReachable && queries.retry()), [connection, isStoreReachable]);
    return <Connection value={connection}>{children}</Connection>;
  }

  function useLive<Selected>(pick: (state: State) => Selected): Selected {
    return useSyncExternalStore(store.subscribe, () => pick(store.snapshot()));
  }

  function useWish(wish: Wish | null, key: string): void {
    const isWished = wish !== null;
    const begin = useEffectEvent(() => (wish === null ? undefined : store.wish(wish)));
    // The same key means the same wish: the object may be new with each rendering.
    useEffect(() => (isWished ? begin() : undefined), [isWished, key]);
  }

  function useConnection(): ConnectionStateName {
    const connection = use(Connection);
    return useTrouble() === 'partly' ? 'stale' : connection;
  }

  function useTrouble(): Trouble | null {
    return troubleOf(use(Connection), useSyncExternalStore(store.subscribe, store.isStoreReachable));
  }

  return { store, Provider, useLive, useWish, useConnection, useTrouble };
}

/** The id of the person that the server streams to; '' if logged out. */
function helloUser(data: string): string {
  return (readEvent(data) as { user?: { id: string } | null } | null)?.user?.id ?? '';
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
