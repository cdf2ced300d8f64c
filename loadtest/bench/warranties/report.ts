// The report of the warranties benchmark: a row of medians for each cell, and the targets, met or missed.

import { median, quantile } from '../../kit/statistics.ts';
import { table } from '../../kit/table.ts';
import type { Figures, PartPlan, Target } from './plan.ts';
import type { Measured, Warranties } from './question.ts';

export interface Cell {
  condition: Warranties;
  way: string;
  inFlight: number;
  rounds: Measured[];
}

const countOf = ({ reads, writes }: Measured): number => reads + writes;
const speedOf = (measured: Measured): number => countOf(measured) / measured.seconds;
const rounded = (value: number, digits = 3): number => Math.round(value * 10 ** digits) / 10 ** digits;
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** REQUIRES: `off` has as many rounds. */
export function figuresOf(
  plan: Pick<PartPlan, 'part' | 'shards' | 'users'>,
  { condition, way, inFlight, rounds }: Cell,
  off: Cell,
): Figures {
  const { part, shards, users } = plan;
  const middle = (of: (round: Measured) => number, digits?: number) => rounded(median(rounds.map(of)), digits);
  // Rare changes: those of all rounds together.
  const writes = rounds.flatMap(({ write_ms }) => write_ms);
  const ofWrites = (figure: (ms: readonly number[]) => number) => (writes.length === 0 ? null : rounded(figure(writes)));
  const means_ms = rounds
    .map(({ read_ms, write_ms }) => [...read_ms, ...write_ms])
    .filter(({ length }) => length > 0)
    .map(mean);
  const ofReads = (share: number) => middle(({ read_ms }) => (read_ms.length === 0 ? Number.NaN : quantile(read_ms, share)));
  return {
    part,
    condition,
    way,
    shards,
    users,
    in_flight: inFlight,
    txn_per_s: middle(speedOf, 0),
    slowest_txn_per_s: rounded(Math.min(...rounds.map(speedOf)), 0),
    fastest_txn_per_s: rounded(Math.max(...rounds.map(speedOf)), 0),
    over_off: rounded(median(rounds.map((round, i) => speedOf(round) / speedOf(off.rounds[i]!)))),
    messages_per_txn: middle((round) => round.messages / countOf(round)),
    without_message: middle((round) => round.answers / round.transactions),
    body_runs_per_write: rounded(sum(rounds, ({ body_runs }) => body_runs) / Math.max(1, writes.length)),
    retries_per_txn: middle((round) => round.retries / countOf(round)),
    mean_ms: means_ms.length === 0 ? null : rounded(median(means_ms)),
    read_p50_ms: ofReads(0.5),
    read_p99_ms: ofReads(0.99),
    write_mean_ms: ofWrites(mean),
    write_p50_ms: ofWrites((ms) => quantile(ms, 0.5)),
    write_p99_ms: ofWrites((ms) => quantile(ms, 0.99)),
    client_us_per_txn: middle((round) => round.client_us / countOf(round), 1),
    gateway_us_per_txn: rounds[0]!.gateway_us.map((_, i) => middle((round) => round.gateway_us[i]! / countOf(round), 1)),
  };
}

const sum = (rounds: readonly Measured[], of: (round: Measured) => number): number => rounds.reduce((all, round) => all + of(round), 0);

const ms = (value: number | null): string => (value === null || Number.isNaN(value) ? '' : value.toFixed(3));

export function tableOf(rows: readonly Figures[]): string {
  return table(
    [
      'warranties, way',
      'in flight',
      'txn/s',
      'to off',
      'messages/txn',
      'without',
      'read p50, p99 ms',
      'write mean, p99 ms',
      'client µs/txn',
      'gateways µs/txn',
    ],
    rows.map((row) => [
      `${row.condition}, ${row.way}`,
      String(row.in_flight),
      row.txn_per_s.toLocaleString('en'),
      `${row.over_off.toFixed(2)} x`,
      row.messages_per_txn.toFixed(3),
      `${(100 * row.without_message).toFixed(1)} %`,
      [row.read_p50_ms, row.read_p99_ms].map(ms).join(', '),
      [row.write_mean_ms, row.write_p99_ms].map(ms).join(', '),
      row.client_us_per_txn.toFixed(1),
      row.gateway_us_per_txn.map((us) => us.toFixed(1)).join(', '),
    ]),
  );
}

/** A figure beside what it should be; without bounds it is only told. */
export function verdictText({ what, value, least, most }: { what: string; value: number; least?: number; most?: number }): string {
  const figure = `${what}: ${value.toFixed(3)}`;
  if (least === undefined && most === undefined) return figure;
  const met = value >= (least ?? -Infinity) && value <= (most ?? Infinity);
  return `${figure} (goal: ${least === undefined ? `at most ${most}` : `at least ${least}`}, ${met ? 'met' : 'missed'})`;
}

export function verdictOf({ value, ...target }: Target, rows: readonly Figures[]): string {
  const of = (condition: Warranties, way: string) => rows.find((row) => row.condition === condition && row.way === way)!;
  return verdictText({ ...target, value: value(of) });
}
