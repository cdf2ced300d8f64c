// The composer of a post. The text is kept as a draft; a sent post goes to the outbox at once, and the field is free for the next.
import { Avatar, Button, classes, formatCounted, useAnnounce } from '@claret/ui/kit';
import { useEffect, useId, useRef, type KeyboardEvent, type RefObject } from 'react';
import type * as api from '../../../server/api.ts';
import styles from './Composer.module.css';
import { useDraft } from './draft.ts';
import { LengthRing } from './LengthRing.tsx';
import { canPost, GRAPHEMES_MAX, measurePost, NEAR_END, textToKeep, textToSend, type PostLength } from './postLength.ts';
import { PostField } from './PostField.tsx';
import { outboxOf } from './useOutbox.ts';

export interface ComposerProps {
  writer: api.UserRef;
  field?: RefObject<HTMLTextAreaElement | null>;
  onSent?(): void;
  className?: string | undefined;
}

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);
const SEND_KEYS = isMac ? '⌘ Enter' : 'Ctrl Enter';

export function Composer({ writer, field: givenField, onSent, className }: ComposerProps) {
  const [typed, setTyped] = useDraft(writer.id);
  const ownField = useRef<HTMLTextAreaElement>(null);
  const field = givenField ?? ownField;
  const id = useId();
  const length = measurePost(typed);
  const isReady = canPost(length);
  useSpokenLength(length);
  const send = () => {
    if (!isReady) {
      field.current?.focus();
      return;
    }
    setTyped('');
    void outboxOf(writer).post(textToSend(typed));
    onSent?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const wrong = whatIsWrong(length);
  return (
    <form
      className={classes(styles.composer, className)}
      aria-label="Write a post"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Avatar name={writer.username} size={44} className={styles.face!} />
      <PostField
        ref={field}
        name="text"
        aria-label="What’s happening?"
        placeholder="What’s happening?"
        aria-describedby={`${id}-room`}
        aria-invalid={wrong !== null}
        value={typed}
        fits_until={length.fits_until}
        onChange={(event) => setTyped(textToKeep(event.target.value))}
        onKeyDown={onKeyDown}
      />
      <div className={styles.bar}>
        <p id={`${id}-room`} className={wrong ? styles.wrong : styles.room}>
          {wrong ?? <span className="visually-hidden">{`${Math.max(0, length.left)} of ${GRAPHEMES_MAX} characters left`}</span>}
        </p>
        {isReady && (
          <span className={styles.keys} aria-hidden="true">
            {SEND_KEYS}
          </span>
        )}
        {!length.isEmpty && <LengthRing length={length} />}
        <Button type="submit" look="primary" className={styles.send} aria-disabled={!isReady} aria-keyshortcuts="Control+Enter Meta+Enter">
          Post
        </Button>
      </div>
    </form>
  );
}

/** Why the post cannot be sent, and what to do; null if it can be, or if nothing has been typed. */
function whatIsWrong({ left, hasTooManyBytes }: PostLength): string | null {
  if (left < 0) return `${formatCounted(-left, 'character', 'characters')} over the limit.`;
  if (hasTooManyBytes) return 'This post takes up too much space. Try removing some accents or emoji.';
  return null;
}

/** Announces when the limit is near and when it is exceeded, not each letter. */
function useSpokenLength({ left }: PostLength): void {
  const announce = useAnnounce();
  const before = useRef(left);
  useEffect(() => {
    const was = before.current;
    before.current = left;
    if (was > NEAR_END && left <= NEAR_END && left >= 0) announce(`${left} characters left`);
    if (was >= 0 && left < 0) announce('Your post is too long');
    if (was < 0 && left >= 0) announce('Your post is within the limit again');
  }, [left, announce]);
}
