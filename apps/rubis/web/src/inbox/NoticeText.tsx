import { classes, formatRelative, Pill } from '@claret/ui/kit';
import { CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type * as api from '../../../server/api.ts';
import styles from './NoticesMenu.module.css';
import { noticeWords } from './noticeWords.ts';

const ICONS = { good: CircleCheck, warn: TriangleAlert, plain: Info };

export interface NoticeTextProps {
  notice: api.InboxNotice;
  now_ms: number;
  /** it happened after the inbox was last read */
  isNew: boolean;
}

/** A notice's icon and words. */
export function NoticeText({ notice, now_ms, isNew }: NoticeTextProps) {
  const { tone, headline, text } = noticeWords(notice);
  const Icon = ICONS[tone];
  return (
    <>
      <span className={classes(styles.sign, styles[tone])}>
        <Icon size={18} aria-hidden="true" />
      </span>
      <div className={styles.words}>
        <p className={styles.headline}>
          {headline} {isNew && <Pill tone="accent">New</Pill>}
        </p>
        <p className={styles.text} dir="auto">
          {text}
        </p>
        <p className={styles.text}>{formatRelative(Math.min(notice.at_ms, now_ms), now_ms)}</p>
      </div>
    </>
  );
}
