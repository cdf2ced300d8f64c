import { Button, Menu, MenuItem, MenuLabel, MenuLine, useServerNow } from '@claret/ui/kit';
import { Bell as BellIcon, Inbox as InboxIcon } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type * as api from '../../../server/api.ts';
import { PAGE } from '../api/paths.ts';
import { useSession } from '../session.ts';
import styles from './NoticesMenu.module.css';
import { NoticeText } from './NoticeText.tsx';
import { useInbox } from './useInbox.ts';

/** the bell shows the newest; the inbox has the rest */
const SHOWN_MAX = 4;
const COUNTED_MAX: typeof api.LIMITS.unread_counted_max = 10;

export function NoticesMenu() {
  const { user } = useSession();
  return user && <Bell key={user.id} />;
}

function Bell() {
  const [wasOpened, setWasOpened] = useState(false);
  const { notices, known, unread, seen_until_ms, problem, reload, markSeen } = useInbox(wasOpened);
  const navigate = useNavigate();
  const now_ms = useServerNow();
  const shown = known.slice(0, SHOWN_MAX);
  const count = unread < COUNTED_MAX ? unread : `${COUNTED_MAX - 1}+`;
  const toggle = (isOpen: boolean) => {
    if (!isOpen) void markSeen();
    else if (wasOpened) void reload();
    setWasOpened(true);
  };
  return (
    <Menu
      className={styles.menu}
      onOpenChange={toggle}
      trigger={
        <Button look="quiet" size="icon" className={styles.bell} aria-label={unread > 0 ? `Notifications, ${count} new` : 'Notifications'}>
          <BellIcon size={20} aria-hidden="true" />
          {unread > 0 && (
            <span className={styles.count} aria-hidden="true">
              {count}
            </span>
          )}
        </Button>
      }
    >
      <MenuLabel>Notifications</MenuLabel>
      {shown.length === 0 && (
        <p className={styles.empty}>
          {notices !== null ? 'Nothing yet. If someone outbids you, you’ll see it here right away.' : (problem?.message ?? 'Loading…')}
        </p>
      )}
      {shown.map((notice) => (
        <MenuItem key={notice.id} className={styles.notice} onSelect={() => void navigate(PAGE.item(notice.item_id))}>
          <NoticeText notice={notice} now_ms={now_ms} isNew={notice.at_ms > seen_until_ms} />
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem onSelect={() => void navigate(PAGE.inbox)}>
        <InboxIcon size={18} aria-hidden="true" /> See all
      </MenuItem>
    </Menu>
  );
}
