// What happened in one's auctions, with how much of it is new to one.
import { useCallback, useMemo } from 'react';
import type * as api from '../../../server/api.ts';
import { post, useQuery, type ApiProblem } from '../api/door.ts';
import { API } from '../api/paths.ts';
import { useNotices, useStandings } from '../live/live.ts';
import { countUnread, mergeNotices, newestOf } from './notices.ts';

export interface InboxDoor {
  /** newest first; null until the inbox has been read, or could not be and nothing was told either */
  notices: readonly api.InboxNotice[] | null;
  /** of what is known so far */
  unread: number;
  seen_until_ms: number;
  problem: ApiProblem | null;
  reload(): Promise<void>;
  /** All that is listed has been looked at. Failing is harmless: it stays new. */
  markSeen(): Promise<void>;
}

/** For somebody who is logged in. */
export function useInbox(): InboxDoor {
  const { data, problem, reload } = useQuery<api.Inbox>(API.inbox);
  const told = useNotices();
  const standings = useStandings();
  const notices = useMemo(() => mergeNotices(data?.notices ?? [], told, standings), [data, told, standings]);
  const seen_until_ms = data?.seen_until_ms ?? 0;
  const until_ms = newestOf(notices);
  const markSeen = useCallback(async () => {
    if (until_ms <= seen_until_ms) return;
    const body: api.InboxSeenRequest = { until_ms };
    await post<api.InboxSeen>(API.inboxSeen, body).then(reload, () => {});
  }, [until_ms, seen_until_ms, reload]);
  return {
    notices: data || (problem && told.length > 0) ? notices : null,
    unread: countUnread(notices, seen_until_ms),
    seen_until_ms,
    problem,
    reload,
    markSeen,
  };
}
