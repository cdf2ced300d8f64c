// From rows to what a figure shows: medians over rounds, peaks over client counts, shares, conflicts per pair of labels,
// how steady a trace is. Pure.

import type { Sending } from '../points.ts';
import { median } from '../../bench/kit/statistics.ts';
import type { CellRow, Conflict } from './rows.ts';

/** A cell over its rounds. */
export interface Middle {
  workload: string;
  point: string;
  sending: Sending;
  clients: number;
  condition: string;
  rounds: number;
  /** medians */
  txn_per_s: number;
  mean_ms: number;
  p99_ms: number;
  /** the slowest and the fastest round */
  lowest: number;
  highest: number;
}

/** In order of clients. */
export function middles(cells: readonly CellRow[]): Middle[] {
  const groups = Map.groupBy(cells, (cell) => [cell.workload, cell.point, cell.sending, cell.clients, cell.condition].join('|'));
  return [...groups.values()].map((rounds): Middle => {
    const { workload, point, sending, clients, condition } = rounds[0]!;
    const speeds = rounds.map(({ txn_per_s }) => txn_per_s);
    return {
      workload, point, sending, clients, condition,
      rounds: rounds.length,
      txn_per_s: median(speeds),
      mean_ms: median(rounds.map(({ mean_ms }) => mean_ms)),
      p99_ms: median(rounds.map(({ p99_ms }) => p99_ms)),
      lowest: Math.min(...speeds),
      highest: Math.max(...speeds),
    };
  }).sort((a, b) => a.clients - b.clients);
}

/** Of each point, sending and condition the cell with the best median throughput. */
export function peaks(cells: readonly Middle[]): Middle[] {
  const groups = Map.groupBy(cells, ({ workload, point, sending, condition }) => [workload, point, sending, condition].join('|'));
  return [...groups.values()].map((over) => over.reduce((best, cell) => (cell.txn_per_s > best.txn_per_s ? cell : best)));
}

/** alpha and share of adds of a rawmix point's name; null for any other name */
export function rawmixPoint(name: string): { alpha: number; update: number } | null {
  const found = /^alpha=([\d.]+) update=([\d.]+)$/.exec(name);
  return found === null ? null : { alpha: Number(found[1]), update: Number(found[2]) };
}

/** "Bid – ViewAuction" whoever held and whoever waited → conflicts, all told */
export function byPair(conflicts: readonly Conflict[]): Map<string, number> {
  const pairs = new Map<string, number>();
  for (const { holder, waiter, count } of conflicts) {
    const pair = [holder, waiter].sort().join(' – ');
    pairs.set(pair, (pairs.get(pair) ?? 0) + count);
  }
  return pairs;
}

export interface Steadiness {
  median: number;
  lowest: number;
  /** standard deviation to mean */
  variation: number;
}

/** REQUIRES: at least one window. */
export function steadiness(windows: readonly number[]): Steadiness {
  const mean = windows.reduce((sum, value) => sum + value, 0) / windows.length;
  const variance = windows.reduce((sum, value) => sum + (value - mean) ** 2, 0) / windows.length;
  return { median: median(windows), lowest: Math.min(...windows), variation: mean === 0 ? 0 : Math.sqrt(variance) / mean };
}
