// Resume: a run continues in its folder if it would have measured the same there: the same commit, machine and options, except for
// options that only select cells.

import { cellsOf, type CellName, type Row, type RunRow } from './raw.ts';

/** Options that select cells, or control the output. */
const CHOOSING = new Set(['only', 'point', 'condition', 'sending', 'clients', 'rounds', 'minutes', 'out', 'json', 'fresh']);

export const nameOf = ({ workload, point, sending, clients, condition, round }: CellName): string =>
  [workload, point, sending, clients, condition, round].join(' | ');

/** Names of the cells that are already measured. */
export function doneIn(rows: readonly Row[]): Set<string> {
  return new Set(cellsOf(rows).map(nameOf));
}

/** Why a run may not continue from these rows; null: it may. */
export function whyNot(rows: readonly Row[], run: RunRow): string | null {
  const before = rows.find((row) => row.kind === 'run');
  if (before === undefined) return rows.length === 0 ? null : 'it does not say what it was measured on';
  if (before.commit !== run.commit) return `it was measured at commit ${before.commit.slice(0, 12)}, not ${run.commit.slice(0, 12)}`;
  if (before.dirty !== run.dirty) return `it was measured ${before.dirty ? 'with' : 'without'} uncommitted changes`;
  if (JSON.stringify(before.machine) !== JSON.stringify(run.machine)) return 'it was measured on another machine';
  for (const name of new Set([...Object.keys(before.options), ...Object.keys(run.options)])) {
    if (CHOOSING.has(name)) continue;
    const [then, now] = [before.options[name], run.options[name]].map((value) => JSON.stringify(value) ?? 'nothing');
    if (then !== now) return `it was measured with ${name} ${then}, not ${now}`;
  }
  return null;
}
