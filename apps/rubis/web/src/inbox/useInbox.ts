// The notices of the person's auctions, with the number of unread ones.
//
// Every page requests the unread notices, which costs the server little; the whole inbox is read when it is shown.
import { useCallback, useMemo } from 'react';
import type * as api from '../../../server/api.ts';
import { post, useQuery, type ApiProblem } from '../api/client.ts';
import { API } from '../api/paths.ts';
import { useNotices, useStandings } from '../live/live.ts';
import { countUnread, joinAnswers, mergeNotices, newestOf } from './notices.ts';

export interface InboxState {
  /** newest first; null until the inbox has been read, or if that failed and no notice is known */
  notices: readonly api.InboxNotice[] | null;
  /** the notices known so far */
  known: readonly api.InboxNotice[];
  /** the number of unread ones among those known so far */
  unread: number;
  seen_until_ms: number;
  problem: ApiProblem | null;
  /** Reads the whole inbox again. */
  reload(): Promise<void>;
  /** Marks all known notices as read. A failure is harmless: they stay unread. */
  markSeen(): Promise<void>;
}

/** REQUIRES: logged in. `isLookedAt`: false until the whole inbox is needed. */
export function useInbox(isLookedAt: boolean): InboxState {
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
