import { Button, formatRelative, Menu, MenuItem, MenuLabel, useServerNow } from '@claret/ui/kit';
import { Bell as BellIcon, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { PAGE } from '../api/paths.ts';
import { useNotices } from '../live/live.ts';
import { readBox, writeBox } from '../live/noticeBox.ts';
import { useSession } from '../session.ts';
import styles from './NoticesMenu.module.css';
import { noticeWords } from './noticeWords.ts';

const ICONS = { good: CircleCheck, warn: TriangleAlert, plain: Info };

export function NoticesMenu() {
  const { user } = useSession();
  return user && <Bell key={user.id} user_id={user.id} />;
}

/** What happened in one's auctions, newest first, with how many one has not seen. */
function Bell({ user_id }: { user_id: string }) {
  const notices = useNotices();
  const navigate = useNavigate();
  const now_ms = useServerNow();
  const [seen_until_ms, setSeenUntil] = useState(() => readBox(user_id).seen_until_ms);
  const unseen = notices.filter((notice) => notice.at_ms > seen_until_ms).length;
  const markSeen = () => {
    const newest_ms = Math.max(seen_until_ms, ...notices.map((notice) => notice.at_ms));
    setSeenUntil(newest_ms);
    writeBox(user_id, { seen_until_ms: newest_ms });
  };
  return (
    <Menu
      className={styles.menu}
      onOpenChange={(isOpen) => !isOpen && markSeen()}
      trigger={
        <Button look="quiet" size="icon" className={styles.bell} aria-label={unseen > 0 ? `Notices, ${unseen} new` : 'Notices'}>
          <BellIcon size={20} aria-hidden="true" />
          {unseen > 0 && (
            <span className={styles.count} aria-hidden="true">
              {unseen > 9 ? '9+' : unseen}
            </span>
          )}
        </Button>
      }
    >
      <MenuLabel>Notices</MenuLabel>
      {notices.length === 0 && <p className={styles.empty}>Nothing yet. When somebody outbids you, you read it here at once.</p>}
      {notices.map((notice) => {
        const { tone, title, text } = noticeWords(notice);
        const Icon = ICONS[tone];
        return (
          <MenuItem key={notice.id} className={styles.notice} onSelect={() => void navigate(PAGE.item(notice.item_id))}>
            <Icon size={18} aria-hidden="true" />
            <div>
              <p>{title}</p>
              <p className={styles.text}>{text}</p>
              <p className={styles.text}>{formatRelative(notice.at_ms, Math.max(now_ms, notice.at_ms))}</p>
            </div>
          </MenuItem>
        );
      })}
    </Menu>
  );
}
