import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './Pill.module.css';

export interface PillProps {
  tone?: 'plain' | 'good' | 'warn' | 'bad' | 'accent';
  icon?: ReactNode;
  children: ReactNode;
}

/** A short state in words; the tone only repeats their meaning. */
export function Pill({ tone = 'plain', icon, children }: PillProps) {
  return (
    <span className={classes(styles.pill, tone !== 'plain' && styles[tone])}>
      {icon}
      {children}
    </span>
  );
}
