import type { ReactNode } from 'react';
import styles from './States.module.css';

export interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  /** h1 if it replaces the whole page */
  heading?: 'h1' | 'h2';
  /** why there is nothing, and what comes next */
  children?: ReactNode;
  actions?: ReactNode;
}

export function EmptyState({ icon, title, heading: Heading = 'h2', children, actions }: EmptyStateProps) {
  return (
    <section className={styles.state}>
      {icon && (
        <span className={styles.icon} aria-hidden="true">
          {icon}
        </span>
      )}
      <Heading className={styles.title}>{title}</Heading>
      {children && <p className={styles.text}>{children}</p>}
      {actions && <div className={styles.actions}>{actions}</div>}
    </section>
  );
}
