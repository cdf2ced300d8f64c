import { classes } from '@claret/ui/kit';
import { Chart } from '../../chart/Chart.tsx';
import type { Drawing } from '../../chart/drawing.ts';
import styles from './Header.module.css';

const CHART_PX = 52;

export interface TileProps {
  /** a question */
  title: string;
  unit: string;
  /** one line for who sees it for the first time */
  about: string;
  /** what follows the number is set small: "14 ms" */
  figure: string;
  /** a second one, smaller */
  more?: string;
  draw: (drawing: Drawing) => void;
}

/** One figure, big, and how it went. */
export function Tile({ title, unit, about, figure, more, draw }: TileProps) {
  const [number, ...measure] = figure.split(' ');
  return (
    <div className={styles.tile}>
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.figures}>
        <span className={classes('figures', styles.figure)}>{number}</span>
        <span className={styles.unit}>{[...measure, unit].join(' ')}</span>
        {more && <span className={classes('figures', styles.more)}>{more}</span>}
      </p>
      <p className={styles.about}>{about}</p>
      <Chart title={`${title} ${unit} over the time shown`} height={CHART_PX} draw={draw} />
    </div>
  );
}
