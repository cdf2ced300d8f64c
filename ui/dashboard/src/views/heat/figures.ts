// The figures that the heatmap can show of a record, each per second.

import type { HeatFigure } from './heatGrid.ts';

export interface FigureLook {
  value: HeatFigure;
  /** its name in the choice */
  label: string;
  /** the unit after a number */
  unit: string;
  /** completes "The records with the most …" */
  about: string;
}

export const FIGURES: readonly FigureLook[] = [
  { value: 'operations', label: 'Operations', unit: 'operations/s', about: 'operations' },
  { value: 'conflicts', label: 'Conflicts', unit: 'conflicts/s', about: 'operations that could not run at once' },
  { value: 'waitMs', label: 'Waiting time', unit: 'ms of waiting/s', about: 'time that transactions waited for them' },
];

export const figureLook = (figure: HeatFigure): FigureLook => FIGURES.find(({ value }) => value === figure)!;
