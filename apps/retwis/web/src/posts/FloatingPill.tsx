import type { ReactNode } from 'react';
import styles from './FloatingPill.module.css';

export interface FloatingPillProps {
  isShown: boolean;
  isBusy?: boolean;
  onPress(): void;
  children: ReactNode;
}

/** Says what waits to be shown, above a list. It lies over the list: nothing moves when it comes. */
export function FloatingPill({ isShown, isBusy = false, onPress, children }: FloatingPillProps) {
  return (
    <div className={styles.place} data-floats>
      {isShown && (
        <button type="button" className={styles.pill} aria-disabled={isBusy} onClick={isBusy ? undefined : onPress}>
          {children}
        </button>
      )}
    </div>
  );
}
