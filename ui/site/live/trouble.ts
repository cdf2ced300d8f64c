// Why a page may be out of date.
import type { ConnectionStateName } from '@claret/ui/kit';

/** offline: the browser has no network; away: the app server does not answer; partly: the app server does, a part of the store does not */
export type Trouble = 'offline' | 'away' | 'partly';

export function troubleOf(connection: ConnectionStateName, isStoreReachable: boolean): Trouble | null {
  if (connection === 'offline') return 'offline';
  if (connection === 'stale') return 'away';
  return connection === 'live' && !isStoreReachable ? 'partly' : null;
}
