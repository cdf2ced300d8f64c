// What the heatmap can show of a record, each per second.

import type { HeatFigure } from './heatGrid.ts';

export interface FigureLook {
  value: HeatFigure;
  /** in the choice */
  label: string;
  /** behind a number */
  unit: string;
  about: string;
}

export const FIGURES: readonly FigureLook[] = [
  { value: 'operations', label: 'Operations', unit: 'operations/s', about: 'operations each second' },
  { value: 'conflicts', label: 'Conflicts', unit: 'conflicts/s', about: 'operations each second that another one stood in the way of' },
  { value: 'waitMs', label: 'Waits', unit: 'ms waited/s', about: 'ms that transactions waited for it each second, all together' },
];

export const figureLook = (figure: HeatFigure): FigureLook => FIGURES.find(({ value }) => value === figure)!;
