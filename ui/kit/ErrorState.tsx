import { CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { classes } from './classes.ts';
import styles from './States.module.css';

export interface ErrorStateProps {
  title?: string;
  /** What happened, what was kept, what to do. */
  children: ReactNode;
  onRetry?: () => void;
  actions?: ReactNode;
}

export function ErrorState({ title = 'This did not work', children, onRetry, actions }: ErrorStateProps) {
  return (
    <section className={classes(styles.state, styles.bad)} role="alert">
      <span className={styles.icon} aria-hidden="true">
        <CloudOff size={26} />
      </span>
      <h2>{title}</h2>
      <p className={styles.text}>{children}</p>
      <div className={styles.actions}>
        {onRetry && (
          <Button look="primary" onClick={onRetry}>
            Try again
          </Button>
        )}
        {actions}
      </div>
    </section>
  );
}
