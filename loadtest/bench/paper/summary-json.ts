// The summary as data: for each point, way of sending and condition its peak, beside the paper's.

import { AuthorsPeaks } from './authors.ts';
import { ALL_CONDITIONS } from '../../kit/conditions.ts';
import type { Experiment, Results } from './results.ts';

export interface SummaryEntry {
  workload: string;
  point: string;
  sending: string;
  condition: string;
  txn_per_s: number;
  /** Each at its peak. Null, here and below: not measured, or not published by the authors. */
  speedup_vs_rw: number | null;
  speedup_vs_rw_phasing: number | null;
  share_of_none: number | null;
  paper_speedup_vs_rw: number | null;
  paper_share_of_none: number | null;
  p50_ms: number;
  p99_ms: number;
  retries_per_commit: number;
  clients_at_peak: number;
  /** both with 256 clients */
  speedup_vs_rw_at_256: number | null;
}

const CONDITION_NAMES = ALL_CONDITIONS.map(({ name }) => name);

export function summaryEntries(results: Results, authors: AuthorsPeaks): SummaryEntry[] {
  return results
    .experiments()
    .flatMap((experiment) =>
      results.conditionsAt(experiment, CONDITION_NAMES).map((condition) => entryOf(experiment, condition, results, authors)),
    );
}

function entryOf(experiment: Experiment, condition: string, results: Results, authors: AuthorsPeaks): SummaryEntry {
  const { workload, point } = experiment;
  const peak = results.peak(experiment, condition)!;
  return {
    ...experiment,
    condition,
    txn_per_s: Math.round(peak.txn_per_s),
    speedup_vs_rw: rounded(results.ratio(experiment, condition, 'rw')),
    speedup_vs_rw_phasing: rounded(results.ratio(experiment, condition, 'rw+phasing')),
    share_of_none: rounded(results.ratio(experiment, condition, 'none')),
    paper_speedup_vs_rw: rounded(authors.ratio(workload, point, condition, 'rw')),
    paper_share_of_none: rounded(authors.ratio(workload, point, condition, 'none')),
    p50_ms: rounded(peak.p50_ms)!,
    p99_ms: rounded(peak.p99_ms)!,
    retries_per_commit: rounded(peak.retries_per_commit)!,
    clients_at_peak: peak.clients,
    speedup_vs_rw_at_256: rounded(results.ratio(experiment, condition, 'rw', 256)),
  };
}

const rounded = (value: number | null): number | null => (value === null ? null : Math.round(1000 * value) / 1000);
