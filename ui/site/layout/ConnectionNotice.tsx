// A notice over every page: why its content may be out of date and what does not work meanwhile, and afterwards that it works again.
import { useLasting } from '@claret/ui/kit';
import { CircleCheck, CloudOff, WifiOff } from 'lucide-react';
import type { Trouble } from '../live/trouble.ts';
import { useSession } from '../session/useSession.ts';
import styles from './ConnectionNotice.module.css';
import { BusyNotice } from './BusyNotice.tsx';
import { BACK_WORDS, troubleWords } from './connectionWords.ts';

/** An interruption is shown once it has lasted this long. */
const HICCUP_MS = 1_200;
/** A page that has just been opened gets more time. */
const FIRST_ANSWER_MS = 3_000;

export interface ConnectionNoticeProps {
  trouble: Trouble | null;
  /** the site's own sentence on what a visitor has to expect meanwhile */
  meanwhile: string;
}

export function ConnectionNotice({ trouble, meanwhile }: ConnectionNoticeProps) {
  const { isKnown } = useSession();
  const hiccup_ms = trouble === 'offline' ? 0 : isKnown ? HICCUP_MS : FIRST_ANSWER_MS;
  const { trouble: present, over } = useLasting(trouble ?? (isKnown ? null : 'away'), hiccup_ms);
  const Icon = present === null ? CircleCheck : present === 'offline' ? WifiOff : CloudOff;
  return (
    <>
      {present === null && <BusyNotice />}
      <div role="status">
        {(present !== null || over !== null) && (
          <p className={styles.notice} data-over={present === null || undefined}>
            <Icon size={18} aria-hidden="true" />
            <span>{present === null ? BACK_WORDS : troubleWords(present, meanwhile)}</span>
          </p>
        )}
      </div>
    </>
  );
}
