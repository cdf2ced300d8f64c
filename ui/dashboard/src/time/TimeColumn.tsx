// TimeColumn: the axis, and below it everything that stands over time, on one surface and behind one gutter.
import { useMemo, type ReactNode } from 'react';
import { useWidth } from '../parts/useWidth.ts';
import { GutterContext, gutterFor } from './gutter.ts';
import { TimeBar } from './TimeBar.tsx';
import styles from './TimeColumn.module.css';

export function TimeColumn({ children }: { children: ReactNode }) {
  const [box, width] = useWidth();
  // The size of text follows from the window's, and so does the width: where the one changes, the other does.
  const gutter = useMemo(() => gutterFor(width, parseFloat(getComputedStyle(document.documentElement).fontSize)), [width]);
  return (
    <GutterContext value={gutter}>
      <div ref={box} className={styles.column}>
        <div className={styles.time}>
          <TimeBar />
        </div>
        {children}
      </div>
    </GutterContext>
  );
}
