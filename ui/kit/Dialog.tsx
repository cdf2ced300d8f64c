// A modal dialog: focus stays inside, Escape and a click outside close it, focus returns where it came from.
// The veil is our own element: Radix' overlay would add a <style> element, which a strict content policy refuses.
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode, RefObject } from 'react';
import { Button } from './Button.tsx';
import { classes } from './classes.ts';
import styles from './Dialog.module.css';

export interface DialogProps {
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
  title: ReactNode;
  about?: ReactNode;
  /** For tables and drawings: as wide as they need, instead of a column of text. */
  isWide?: boolean;
  /** Where the keyboard starts, behind what stands there; else at the first that takes it. */
  startsAt?: RefObject<HTMLElement | null>;
  children: ReactNode;
}

export function Dialog({ isOpen, onOpenChange, title, about, isWide, startsAt, children }: DialogProps) {
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <div className={styles.veil} data-kit-veil="" />
        <Radix.Content
          className={classes(styles.dialog, isWide && styles.wide)}
          {...(about ? {} : { 'aria-describedby': undefined })}
          onOpenAutoFocus={(event) => {
            if (!startsAt?.current) return;
            event.preventDefault();
            const { current } = startsAt;
            current.focus();
            if (current instanceof HTMLTextAreaElement) current.setSelectionRange(current.textLength, current.textLength);
          }}
        >
          <div className={styles.head}>
            <div>
              <Radix.Title className={styles.title}>{title}</Radix.Title>
              {about && <Radix.Description className={styles.about}>{about}</Radix.Description>}
            </div>
            <Radix.Close asChild>
              <Button look="quiet" size="icon" className={styles.close} aria-label="Close">
                <X size={20} aria-hidden="true" />
              </Button>
            </Radix.Close>
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
