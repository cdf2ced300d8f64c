// FormPage: a page with a single form: title, a line of text, the form, and content below.
import { classes } from '@claret/ui/kit';
import type { ReactNode } from 'react';
import styles from './FormPage.module.css';

export interface FormPageProps {
  title: string;
  lead: ReactNode;
  isWide?: boolean;
  children: ReactNode;
}

export function FormPage({ title, lead, isWide = false, children }: FormPageProps) {
  return (
    <div className={classes(styles.page, isWide && styles.wide)}>
      <div>
        <h1>{title}</h1>
        <p className={styles.lead}>{lead}</p>
      </div>
      {children}
    </div>
  );
}
