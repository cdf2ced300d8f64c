import { useEffect, useRef, type ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './LiveValue.module.css';

export interface LiveValueProps {
  /** What the highlight follows; the first value does not highlight. */
  value: string | number;
  className?: string;
  children?: ReactNode;
}

/** A value that changes while one looks at it: each change is a short, soft highlight in place. */
export function LiveValue({ value, className, children }: LiveValueProps) {
  const element = useRef<HTMLSpanElement>(null);
  const shown = useRef(value);
  useEffect(() => {
    const span = element.current;
    if (!span || shown.current === value) return;
    shown.current = value;
    span.classList.remove(styles.changed!);
    void span.offsetWidth; // lets the same animation start again
    span.classList.add(styles.changed!);
  }, [value]);
  return (
    <span ref={element} className={classes(styles.value, 'figures', className)}>
      {children ?? value}
    </span>
  );
}
