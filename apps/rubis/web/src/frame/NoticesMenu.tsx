import { Button, formatRelative, Menu, MenuItem, MenuLabel, useServerNow } from '@claret/ui/kit';
import { Bell, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { PAGE } from '../api/paths.ts';
import { useNotices } from '../live/useLive.ts';
import { useSession } from '../session/useSession.ts';
import { noticeWords } from './noticeWords.ts';
import styles from './NoticesMenu.module.css';

const ICONS = { good: CircleCheck, warn: TriangleAlert, plain: Info };

/** The bell: what happened in one's auctions, newest first, with how many one has not seen. */
export function NoticesMenu() {
  const { user } = useSession();
  const notices = useNotices();
  const navigate = useNavigate();
  const now_ms = useServerNow();
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  if (!user) return null;
  const unseen = notices.filter((notice) => !seen.has(notice.id)).length;
  return (
    <Menu
      className={styles.menu}
      onOpenChange={(isOpen) => !isOpen && setSeen(new Set(notices.map((notice) => notice.id)))}
      trigger={
        <Button look="quiet" size="icon" className={styles.bell} aria-label={unseen > 0 ? `Notices, ${unseen} new` : 'Notices'}>
          <Bell size={20} aria-hidden="true" />
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
