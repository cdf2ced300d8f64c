import { CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { classes } from './classes.ts';
import styles from './States.module.css';

export interface ErrorStateProps {
  title?: string;
  icon?: ReactNode;
  /** h1 if it replaces the whole page */
  heading?: 'h1' | 'h2';
  /** what happened, what was saved, what to do */
  children: ReactNode;
  onRetry?: () => void;
  actions?: ReactNode;
}

export function ErrorState({ title = 'That didn’t work', icon, heading: Heading = 'h2', children, onRetry, actions }: ErrorStateProps) {
  return (
    <section className={classes(styles.state, styles.bad)} role="alert">
      <span className={styles.icon} aria-hidden="true">
        {icon ?? <CloudOff size={26} />}
      </span>
      <Heading className={styles.title}>{title}</Heading>
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
