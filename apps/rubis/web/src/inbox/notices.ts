// The inbox as one list: notices that were read from the server, and those that the stream has sent since.
import type * as api from '../../../server/api.ts';

const LISTED_MAX: typeof api.LIMITS.inbox_max = 100;

/**
 * Combines two reads: of the whole inbox, and of its unread notices. Older unread notices add nothing. Of two notices with one id the later
 * is kept (mergeNotices).
 */
export function joinAnswers(whole: api.Inbox | null, unread: api.Inbox | null): { read: api.InboxNotice[]; seen_until_ms: number } {
  const isNews = unread !== null && unread.server_time_ms > (whole?.server_time_ms ?? 0);
  return {
    read: [...(whole?.notices ?? []), ...(isNews ? unread.notices : [])],
    seen_until_ms: Math.max(whole?.seen_until_ms ?? 0, unread?.seen_until_ms ?? 0),
  };
}

/** Newest first, each once. A leader is not outbid: that notice is dropped, as at the server. */
export function mergeNotices(
  read: readonly api.InboxNotice[],
  told: readonly api.LiveNotice[],
  standings: ReadonlyMap<string, api.Standing>,
): api.InboxNotice[] {
  const byId = new Map([...told.map(asRead), ...read].map((notice) => [notice.id, notice]));
  const outbidOn = new Set<string>();
  return [...byId.values()]
    .sort((one, other) => other.at_ms - one.at_ms)
    .filter((notice) => {
      if (notice.kind !== 'outbid') return true;
      const now = standings.get(notice.item_id)?.standing ?? 'outbid';
      if (now !== 'outbid' || outbidOn.has(notice.item_id)) return false;
      outbidOn.add(notice.item_id);
      return true;
    })
    .slice(0, LISTED_MAX);
}

/** The stream omits the quantity and the buyer: the inbox has them when it is read again. */
function asRead({ id, kind, item_id, title, price_cents, tied, at_ms }: api.LiveNotice): api.InboxNotice {
  return { id, kind, item_id, title, price_cents, tied, at_ms, quantity: 1, buyer: null };
}

export function countUnread(notices: readonly api.InboxNotice[], seen_until_ms: number): number {
  return notices.filter(({ at_ms }) => at_ms > seen_until_ms).length;
}

/** the time of the newest; 0 for none */
export function newestOf(notices: readonly api.InboxNotice[]): number {
  return notices[0]?.at_ms ?? 0;
}
