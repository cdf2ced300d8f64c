// The heights of the rows of figures, in CSS pixels. In a narrow gutter names take more lines; on very wide screens there is room for taller charts.
import type { Gutter } from '../../time/gutter.ts';

const ROW_PX = { vast: 72, wide: 45, narrow: 64 };
/** Two figures that may be large stand below each other. */
const TWO_FIGURES_PX = 62;
const STATES_PX = 52;
const VAST_STATES_PX = 96;

export interface RowHeights {
  usual: number;
  /** with two figures */
  tall: number;
  states: number;
}

export function rowHeights({ isWide, isVast, scale }: Gutter): RowHeights {
  const usual = Math.round((isVast ? ROW_PX.vast : isWide ? ROW_PX.wide : ROW_PX.narrow) * scale);
  return { usual, tall: Math.max(usual, Math.round(TWO_FIGURES_PX * scale)), states: Math.max(usual, isVast ? VAST_STATES_PX : STATES_PX) };
}
