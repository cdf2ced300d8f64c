import { Button, classes, EmptyState, formatCounted, useServerNow } from '@claret/ui/kit';
import { AppLink, ProblemState } from '@claret/ui/site';
import { Inbox } from 'lucide-react';
import { useEffect, useState } from 'react';
import type * as api from '../../../server/api.ts';
import { PAGE } from '../api/paths.ts';
import { NoticeText } from '../inbox/NoticeText.tsx';
import { noticeWords } from '../inbox/noticeWords.ts';
import { useInbox } from '../inbox/useInbox.ts';
import { LoginWall } from '../components/LoginWall.tsx';
import { ListWaiting } from '../components/Skeletons.tsx';
import { useSession } from '../session.ts';
import styles from './InboxPage.module.css';

export default function InboxPage() {
  const { user, isKnown } = useSession();
  return (
    <>
      <title>Notifications · Claret Auctions</title>
      {user ? (
        <Notices key={user.id} />
      ) : (
        isKnown && (
          <LoginWall title="Log in to see your notifications">
            See where you’ve been outbid, what you won or bought, and what you sold.
          </LoginWall>
        )
      )}
    </>
  );
}

function Notices() {
  const { notices, problem, seen_until_ms, unread, reload, markSeen } = useInbox(true);
  const now_ms = useServerNow();
  const newSince_ms = useFirst(notices === null ? null : seen_until_ms);
  useEffect(() => {
    if (unread > 0) void markSeen(); // it is visible
  }, [unread, markSeen]);
  if (notices === null)
    return problem ? <ProblemState heading="h1" problem={problem} onRetry={reload} /> : <ListWaiting label="Loading your notifications" />;
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>Notifications</h1>
        <p>{notices.length > 0 && `${formatCounted(notices.length, 'notification', 'notifications')}, newest first`}</p>
      </header>
      {notices.length === 0 ? (
        <Nothing />
      ) : (
        <ul className={styles.list} aria-label="Notifications">
          {notices.map((notice) => (
            <Notice key={notice.id} notice={notice} now_ms={now_ms} isNew={notice.at_ms > (newSince_ms ?? 0)} />
          ))}
        </ul>
      )}
    </div>
  );
}

/** The first known value: new notices stay marked while the page is open. */
function useFirst(value: number | null): number | null {
  const [first, setFirst] = useState(value);
  if (first === null && value !== null) setFirst(value);
  return first;
}

function Notice({ notice, now_ms, isNew }: { notice: api.InboxNotice; now_ms: number; isNew: boolean }) {
  return (
    <li className={classes(styles.notice, isNew && styles.fresh)}>
      <NoticeText notice={notice} now_ms={now_ms} isNew={isNew} />
      <Button asChild size="small">
        <AppLink
          to={notice.kind === 'outbid' ? PAGE.todo(notice.item_id, 'bid') : PAGE.item(notice.item_id)}
          aria-label={`${noticeWords(notice).action}: ${notice.title}`}
        >
          {noticeWords(notice).action}
        </AppLink>
      </Button>
    </li>
  );
}

function Nothing() {
  return (
    <EmptyState
      icon={<Inbox size={26} />}
      title="No notifications yet"
      actions={
        <Button asChild look="primary">
          <AppLink to={PAGE.browse()}>Browse auctions</AppLink>
        </Button>
      }
    >
      Bid on something or sell something. If someone outbids you or your auction ends, you’ll see it here.
    </EmptyState>
  );
}
