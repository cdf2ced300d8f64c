// What happened in one's auctions, with how much of it is new to one.
//
// Every page asks for what is unread, which costs the server little; the whole inbox is read where somebody looks at it.
import { useCallback, useMemo } from 'react';
import type * as api from '../../../server/api.ts';
import { post, useQuery, type ApiProblem } from '../api/door.ts';
import { API } from '../api/paths.ts';
import { useNotices, useStandings } from '../live/live.ts';
import { countUnread, joinAnswers, mergeNotices, newestOf } from './notices.ts';

export interface InboxDoor {
  /** newest first; null until the inbox has been read, or could not be and nothing is known otherwise */
  notices: readonly api.InboxNotice[] | null;
  /** of those, what is known so far */
  known: readonly api.InboxNotice[];
  /** of what is known so far */
  unread: number;
  seen_until_ms: number;
  problem: ApiProblem | null;
  /** Reads the whole inbox again. */
  reload(): Promise<void>;
  /** All that is known has been looked at. Failing is harmless: it stays new. */
  markSeen(): Promise<void>;
}

/** For somebody who is logged in. `isLookedAt`: false until the whole inbox is wanted. */
export function useInbox(isLookedAt: boolean): InboxDoor {
  const unseen = useQuery<api.Inbox>(API.inboxUnread);
  const whole = useQuery<api.Inbox>(isLookedAt ? API.inbox : null);
  const told = useNotices();
  const standings = useStandings();
  const { read, seen_until_ms } = useMemo(() => joinAnswers(whole.data, unseen.data), [whole.data, unseen.data]);
  const known = useMemo(() => mergeNotices(read, told, standings), [read, told, standings]);
  const until_ms = newestOf(known);
  const { reload: countAgain } = unseen;
  const markSeen = useCallback(async () => {
    if (until_ms <= seen_until_ms) return;
    const body: api.InboxSeenRequest = { until_ms };
    await post<api.InboxSeen>(API.inboxSeen, body).then(countAgain, () => {});
  }, [until_ms, seen_until_ms, countAgain]);
  return {
    notices: whole.data || (whole.problem && known.length > 0) ? known : null,
    known,
    unread: countUnread(known, seen_until_ms),
    seen_until_ms,
    problem: whole.problem,
    reload: whole.reload,
    markSeen,
  };
}
