// The rows of a results folder's raw.jsonl, as the harness writes them, one JSON object a line.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sending } from '../points.ts';

export interface RunRow {
  kind: 'run';
  commit: string;
  /** the working tree had changes that are not in the commit */
  dirty: boolean;
  machine: { cpu: string; cores: number; memory_gib: number; kernel: string; node: string };
  begun_at: string;
  seed: number;
  options: Record<string, unknown>;
}

export interface Conflict {
  /** labels of transactions */
  holder: string;
  waiter: string;
  count: number;
}

export interface CellRow {
  kind: 'cell';
  workload: string;
  point: string;
  sending: Sending;
  clients: number;
  condition: string;
  round: number;
  shards: number;
  txn_per_s: number;
  mean_ms: number;
  p50_ms: number;
  p99_ms: number;
  conflicts?: Conflict[];
}

export interface TraceRow {
  kind: 'trace';
  condition: string;
  round: number;
  window_s: number;
  /** one for each window, from the trace's beginning */
  txn_per_s: number[];
  /** seconds from the trace's beginning */
  closings: number[];
}

export interface DistributionRow {
  kind: 'distribution';
  name: 'followers' | 'reposts';
  /** [value, how many have it] */
  counts: [number, number][];
}

export interface Results {
  runs: RunRow[];
  cells: CellRow[];
  traces: TraceRow[];
  distributions: DistributionRow[];
}

export const readResults = (folder: string): Results => resultsOf(readFileSync(join(folder, 'raw.jsonl'), 'utf8'));

/**
 * From the text of raw.jsonl. Of what was measured twice (a run that was resumed) the later stands. A last line that is cut
 * short is a run under way or one that died; any other that cannot be read throws.
 */
export function resultsOf(text: string): Results {
  const results: Results = { runs: [], cells: [], traces: [], distributions: [] };
  const cells = new Map<string, CellRow>();
  const traces = new Map<string, TraceRow>();
  const distributions = new Map<string, DistributionRow>();
  for (const row of parsed(text)) {
    if (row.kind === 'run') results.runs.push(row);
    else if (row.kind === 'cell') cells.set([row.workload, row.point, row.sending, row.clients, row.condition, row.round, row.shards].join('|'), row);
    else if (row.kind === 'trace') traces.set([row.condition, row.round].join('|'), row);
    else if (row.kind === 'distribution') distributions.set(row.name, row);
  }
  return { ...results, cells: [...cells.values()], traces: [...traces.values()], distributions: [...distributions.values()] };
}

type Row = RunRow | CellRow | TraceRow | DistributionRow;

function parsed(text: string): Row[] {
  const lines = text.split('\n');
  return lines.flatMap((line, i): Row[] => {
    if (line.trim() === '') return [];
    try {
      return [JSON.parse(line) as Row];
    } catch (error) {
      if (i === lines.length - 1) return [];
      throw new Error(`line ${i + 1} of raw.jsonl cannot be read: ${(error as Error).message}`, { cause: error });
    }
  });
}
