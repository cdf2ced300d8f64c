// TimeColumn: the axis, and below it everything over time, on one surface and behind one gutter.
import { useMemo, type ReactNode } from 'react';
import { useWidth } from '../components/useWidth.ts';
import { GutterContext, gutterFor } from './gutter.ts';
import { TimeBar } from './TimeBar.tsx';
import styles from './TimeColumn.module.css';

export function TimeColumn({ children }: { children: ReactNode }) {
  const [box, width] = useWidth();
  // The text size depends on the window's width, as `width` does: when one changes, so does the other.
  const gutter = useMemo(() => gutterFor(width, parseFloat(getComputedStyle(document.documentElement).fontSize)), [width]);
  return (
    <GutterContext value={gutter}>
      <div ref={box} className={styles.column}>
        <div className={styles.time} data-floats="">
          <TimeBar />
        </div>
        {children}
      </div>
    </GutterContext>
  );
}
