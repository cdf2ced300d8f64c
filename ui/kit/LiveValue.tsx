import { useEffect, useRef, type ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './LiveValue.module.css';

export interface LiveValueProps {
  /** a change of it triggers the highlight; the first value does not */
  value: string | number;
  className?: string;
  children?: ReactNode;
}

/** A value that changes on the page: each change is highlighted softly for a short time. */
export function LiveValue({ value, className, children }: LiveValueProps) {
  const element = useRef<HTMLSpanElement>(null);
  const shown = useRef(value);
  useEffect(() => {
    const span = element.current;
    if (!span || shown.current === value) return;
    shown.current = value;
    span.classList.remove(styles.changed!);
    void span.offsetWidth; // restarts the animation
    span.classList.add(styles.changed!);
  }, [value]);
  return (
    <span ref={element} className={classes(styles.value, 'figures', className)}>
      {children ?? value}
    </span>
  );
}
