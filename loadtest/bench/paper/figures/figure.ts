// The parts of every figure: a name for its files, a sheet, and the run in which it was measured.

import type { AuthorsPeaks } from '../authors.ts';
import type { RunRow } from '../raw.ts';
import { driversIn, type Results } from '../results.ts';
import type { Sheet } from '../../../kit/figures/sheet.ts';

export interface Figure {
  /** name of its files, without extension */
  name: string;
  sheet: Sheet;
}

/** Null if its rows are missing. */
export type FigureOf = (results: Results, authors: AuthorsPeaks) => Figure | null;

/** A numeric option of the run. */
export function optionOf(results: Results, name: string): number {
  const value = Number(results.rows.find((row): row is RunRow => row.kind === 'run')?.options[name]);
  if (!Number.isFinite(value)) throw new Error(`the run's row lacks the option ${name}`);
  return value;
}

/** The machine and the run, in one paragraph. */
export function provenance(results: Results): string {
  const run = results.rows.find((row): row is RunRow => row.kind === 'run');
  if (run === undefined) return '';
  const { commit, dirty, machine, options, begun_at } = run;
  return (
    `Claret ${commit.slice(0, 12)}${dirty ? ' with changes' : ''}, ${begun_at.slice(0, 10)}; ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}; ` +
    `${options.shards} shard${Number(options.shards) === 1 ? '' : 's'} and ${driversIn(options)} over loopback, polling ${options.poll} µs; durability ${options.durability}.`
  );
}

const roundsOf = (results: Results) => new Set(results.cells.map(({ round }) => round)).size;

export const medians = (results: Results): string =>
  roundsOf(results) === 1
    ? 'One round.'
    : `Medians of ${roundsOf(results)} rounds; the thin lines reach from the slowest round to the fastest.`;
