// The heat ramp with its numbers.
import { useSyncExternalStore } from 'react';
import { HeatScale } from '../../chart/heatRamp.ts';
import { onPalette, palette } from '../../chart/palette.ts';
import { scaleWords } from '../../components/figures.ts';
import styles from './HeatLegend.module.css';

export interface HeatLegendProps {
  /** the scale's end */
  max: number;
  unit: string;
}

export function HeatLegend({ max, unit }: HeatLegendProps) {
  const { heat } = useSyncExternalStore(onPalette, palette);
  const scale = new HeatScale(max);
  return (
    <span className={styles.legend}>
      {scale.ticks().map((tick) => {
        const { colour, ink } = heat[scale.step(tick)]!;
        return (
          <span key={tick} className={styles.step} style={{ background: colour, color: ink }}>
            {scaleWords(tick)}
          </span>
        );
      })}
      <span className={styles.unit}>{unit} (log scale)</span>
    </span>
  );
}
