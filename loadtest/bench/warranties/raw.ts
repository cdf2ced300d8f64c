// The rows of a results folder's raw.jsonl, one JSON object per line: the run, and the figures of each cell.

import type { RunRow as AnyRunRow } from '../paper/raw.ts';
import type { DelayRow } from './delay.ts';
import type { HttpRow } from './http.ts';
import type { Figures } from './plan.ts';

export interface RunRow extends AnyRunRow {
  benchmark: 'warranties';
}

export type CellRow = Figures | DelayRow | HttpRow;

export type Row = RunRow | (CellRow & { kind: 'figures' });
