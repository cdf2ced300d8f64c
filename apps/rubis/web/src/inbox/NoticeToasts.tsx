// Shows each new notice once, on any page except the auction's own, which shows the event itself. Notices from while the page was hidden
// are in the list instead.
import { Button, formatMoney, serverClock, useToast } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { PAGE } from '../api/paths.ts';
import { useNotices } from '../live/live.ts';
import { noticeWords } from './noticeWords.ts';

const NEWS_MS = 60_000;

export function NoticeToasts(): null {
  const notices = useNotices();
  const toast = useToast();
  const { pathname } = useLocation();
  const shown = useRef(new Set<string>());
  useEffect(() => {
    for (const notice of notices.toReversed()) {
      if (shown.current.has(notice.id)) continue;
      shown.current.add(notice.id);
      const to = PAGE.item(notice.item_id);
      if (pathname === to || serverClock.now() - notice.at_ms > NEWS_MS) continue;
      const { tone, headline, text, action } = noticeWords({ ...notice, quantity: 1, buyer: null });
      const next = notice.kind === 'outbid' ? `Bid ${formatMoney(notice.min_next_bid_cents)} or more` : action;
      const link = (
        <Button asChild size="small">
          <AppLink to={to}>{next}</AppLink>
        </Button>
      );
      toast({ tone, title: headline, text, key: `item ${notice.item_id}`, action: link });
    }
  }, [notices, toast, pathname]);
  return null;
}
