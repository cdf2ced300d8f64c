// The page's one event stream: what it carries follows what the pages wish to hear of, and who is logged in.
import { useEventSource, type StreamEvent } from '@claret/ui/kit';
import { useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react';
import type * as api from '../../../server/api.ts';
import { LiveStore } from './liveStore.ts';
import { liveAddress } from './liveWish.ts';
import { LiveContext } from './useLive.ts';

export interface LiveProviderProps {
  /** Who is logged in: '' for nobody, null while that is not known yet. */
  audience: string | null;
  /** The server takes us for somebody else: the login has run out, or changed in another window. */
  onOtherAudience(): void;
  children: ReactNode;
}

export function LiveProvider({ audience, onOtherAudience, children }: LiveProviderProps) {
  const [store] = useState(() => new LiveStore());
  const query = useSyncExternalStore(store.subscribe, store.query);
  useEffect(() => store.welcome(), [store, audience]);
  const onEvent = (event: StreamEvent) => {
    store.hear(event.type, event.data);
    if (event.type === 'hello' && helloUser(event.data) !== audience) onOtherAudience();
  };
  const connection = useEventSource(audience === null ? null : liveAddress(query), audience ?? '', onEvent);
  return <LiveContext value={useMemo(() => ({ store, connection }), [store, connection])}>{children}</LiveContext>;
}

/** Whom the stream takes us for: '' for nobody. */
function helloUser(data: string): string {
  return (JSON.parse(data) as api.LiveHello).user?.id ?? '';
}
