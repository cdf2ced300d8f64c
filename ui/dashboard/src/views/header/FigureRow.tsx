import { classes } from '@claret/ui/kit';
import { useCallback, type ReactNode } from 'react';
import { Chart } from '../../chart/Chart.tsx';
import type { ValueAt } from '../../chart/chartSurface.ts';
import type { Drawing } from '../../chart/drawing.ts';
import { useGutter } from '../../time/gutter.ts';
import styles from './Header.module.css';

export interface FigureRowProps {
  title: ReactNode;
  /** description of the chart for assistive technology */
  chartTitle: string;
  /** One figure with its unit, or several by name. Text after the number is set small: "14 ms". */
  figure?: string;
  unit?: ReactNode;
  figures?: readonly { name: ReactNode; figure: string }[];
  height: number;
  draw: (drawing: Drawing) => void;
  valueAt: ValueAt;
}

/** A large figure in the gutter, or several smaller ones, and beside it a chart of its history. */
export function FigureRow({ title, chartTitle, figure, unit, figures = [], height, draw, valueAt }: FigureRowProps) {
  const { width } = useGutter();
  // Zoomed in far, a line begins long before the time shown.
  const drawBeside = useCallback(
    (drawing: Drawing) => {
      const { context, time } = drawing;
      context.save();
      context.beginPath();
      context.rect(time.left, 0, time.right - time.left, drawing.height);
      context.clip();
      draw(drawing);
      context.restore();
    },
    [draw],
  );
  return (
    <div className={styles.row}>
      <Chart title={chartTitle} height={height} draw={drawBeside} valueAt={valueAt}>
        <div className={styles.name} style={{ width }}>
          <h2 className={styles.title}>{title}</h2>
          <p className={styles.figures}>
            {figure !== undefined && (
              <>
                <FigureOf figure={figure} className={styles.figure} /> <span className={styles.unit}>{unit}</span>
              </>
            )}
            {figures.map(({ name, figure: one }, place) => (
              <span key={place} className={styles.named}>
                <span className={styles.unit}>{name}</span> <FigureOf figure={one} className={styles.oneOfSeveral} />
              </span>
            ))}
          </p>
        </div>
      </Chart>
    </div>
  );
}

/** "14 ms": the number large, its unit small. */
function FigureOf({ figure, className }: { figure: string; className: string | undefined }) {
  const [number, ...measure] = figure.split(' ');
  return (
    <>
      <span className={classes('figures', className)}>{number}</span>
      {measure.length > 0 && <span className={styles.unit}> {measure.join(' ')}</span>}
    </>
  );
}
