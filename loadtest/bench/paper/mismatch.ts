// After each cell the stored data is compared with the acknowledged transactions: the consequences of a mismatch for the run.

import { conditionNamed } from '../../kit/conditions.ts';
import type { CellName, CellRow } from './raw.ts';

const SHOWN = 5;

/** An inadmissible mismatch. */
export class Mismatch extends Error {}

/**
 * The row to store. Without locks only single operations are guaranteed: there mismatches are counted, as the price of it. Under
 * any other condition it throws `Mismatch`.
 */
export function judged(row: CellRow, mismatches: readonly string[]): CellRow {
  if (conditionNamed(row.condition).asNatives) return { ...row, anomalies: mismatches.length };
  if (mismatches.length > 0) throw new Mismatch(wordsFor(row, mismatches));
  return row;
}

function wordsFor({ workload, point, sending, clients, condition, round }: CellName, mismatches: readonly string[]): string {
  const more = mismatches.length - SHOWN;
  return [
    `What is stored is not what was acknowledged: ${workload} ${point}, ${sending}, ${clients} clients, ${condition}, round ${round + 1}:`,
    ...mismatches.slice(0, SHOWN).map((text) => `  ${text}`),
    ...(more > 0 ? [`  and ${more.toLocaleString('en')} more`] : []),
  ].join('\n');
}
