import type { ReactNode } from 'react';
import styles from './FloatingPill.module.css';

export interface FloatingPillProps {
  isShown: boolean;
  isBusy?: boolean;
  onPress(): void;
  children: ReactNode;
}

/** Announces waiting entries above a list. It floats over the list, so that no entry moves when it appears. */
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
