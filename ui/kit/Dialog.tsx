// A modal dialog: focus stays inside, Escape and a click outside close it. Focus then returns to the element it came from or, if that is
// gone, to the nearest focusable element around it. The overlay is our own element: Radix' overlay would add a <style> element, which a
// strict content policy refuses.
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { useRef, type ReactNode, type RefObject } from 'react';
import { Button } from './Button.tsx';
import { classes } from './classes.ts';
import styles from './Dialog.module.css';

export interface DialogProps {
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
  title: ReactNode;
  about?: ReactNode;
  /** for tables and drawings: as wide as the content, instead of a column of text */
  isWide?: boolean;
  /** gets the focus first, with the cursor at the end of its text; missing: the first focusable element */
  startsAt?: RefObject<HTMLElement | null>;
  children: ReactNode;
}

export function Dialog({ isOpen, onOpenChange, title, about, isWide, startsAt, children }: DialogProps) {
  const wayBack = useRef<HTMLElement[]>([]);
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <div className={styles.veil} data-kit-veil="" />
        <Radix.Content
          className={classes(styles.dialog, isWide && styles.wide)}
          aria-modal="true"
          {...(about ? {} : { 'aria-describedby': undefined })}
          onOpenAutoFocus={(event) => {
            wayBack.current = withAncestors(document.activeElement);
            if (!startsAt?.current) return;
            event.preventDefault();
            const { current } = startsAt;
            current.focus();
            if (current instanceof HTMLTextAreaElement) current.setSelectionRange(current.textLength, current.textLength);
          }}
          onCloseAutoFocus={(event) => {
            // Radix would focus its own trigger, which our dialogs do not have.
            event.preventDefault();
            wayBack.current.find(takesFocus);
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

function withAncestors(element: Element | null): HTMLElement[] {
  if (!(element instanceof HTMLElement)) return [];
  return [element, ...withAncestors(element.parentElement)];
}

/** Focuses the element; true if it now has the focus. */
function takesFocus(element: HTMLElement): boolean {
  element.focus({ preventScroll: true });
  return document.activeElement === element;
}
