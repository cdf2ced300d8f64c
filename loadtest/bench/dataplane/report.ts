// What the benchmark says: the rows of its JSON file, and the tables of both of its sections as text.

import type { Span } from '../kit/closed-loop.ts';
import { median } from '../kit/statistics.ts';
import { table } from '../kit/table.ts';
import type { Mode } from './question.ts';

/** One line of the JSON file. */
export interface Row {
  mode: Mode;
  in_flight: number;
  ops_per_s: number;
  gateway_cpu_us_per_op: number;
  client_cpu_us_per_op: number;
}

/** The medians of a cell's rounds, each figure for itself. */
export function rowOf(mode: Mode, inFlight: number, spans: readonly Span[]): Row {
  return {
    mode,
    in_flight: inFlight,
    ops_per_s: Math.round(median(spans.map(({ count, seconds }) => count / seconds))),
    gateway_cpu_us_per_op: rounded(median(spans.map(({ server_cpu_us, count }) => server_cpu_us / count))),
    client_cpu_us_per_op: rounded(median(spans.map(({ client_cpu_us, count }) => client_cpu_us / count))),
  };
}

const rounded = (value: number) => Math.round(value * 100) / 100;

export function modesTable(rows: readonly Row[]): string {
  const head = ['mode', 'in flight', 'operations/s', 'to unary', 'gateway CPU µs/op', 'client CPU µs/op'];
  return table(head, rows.map((row) => {
    const unary = rows.find(({ mode, in_flight }) => mode === 'unary' && in_flight === row.in_flight);
    return [
      row.mode,
      String(row.in_flight),
      row.ops_per_s.toLocaleString('en'),
      unary === undefined ? '' : `${(row.ops_per_s / unary.ops_per_s).toFixed(1)} x`,
      row.gateway_cpu_us_per_op.toFixed(2),
      row.client_cpu_us_per_op.toFixed(2),
    ];
  }));
}

/** CPU microseconds per transaction: [client, both gateways], one for each round. */
export type Costs = readonly (readonly [client: number, gateways: number])[];

export const SHAPES = {
  nothing: { operations: 0, participants: 1 },
  two: { operations: 2, participants: 1 },
  four: { operations: 4, participants: 1 },
  eight: { operations: 8, participants: 1 },
  fourOnTwo: { operations: 4, participants: 2 },
  eightOnTwo: { operations: 8, participants: 2 },
} as const;
export type ShapeName = keyof typeof SHAPES;

export function shapesTable(costs: Record<ShapeName, Costs>): string {
  const head = ['operations', 'shards', 'client CPU µs/tx', 'gateways CPU µs/tx', 'together'];
  return table(head, Object.entries(SHAPES).map(([name, { operations, participants }]) => {
    const rounds = costs[name as ShapeName];
    const client = median(rounds.map(([own]) => own));
    const gateways = median(rounds.map(([, theirs]) => theirs));
    return [String(operations), operations === 0 ? '0' : String(participants), client.toFixed(2), gateways.toFixed(2), (client + gateways).toFixed(2)];
  }));
}

export interface EndCost {
  operation_us: number;
  /** prepare, vote and outcome of a transaction on two shards */
  end_us: number;
  /** the same in operations */
  end_operations: number;
}

/**
 * How it is derived, with C(n, shards) the CPU time of a transaction of n operations, client and gateways together:
 * one operation is (C(8, 1) - C(4, 1)) / 4. A transaction on two shards does the work of two transactions on one shard
 * with half of the operations each, less what the client spends once instead of twice, C(0, 0); what is above that is
 * prepare, vote and outcome: C(2n, 2) - 2 C(n, 1) + C(0, 0), taken for n = 2 and n = 4. Of all rounds, the median.
 */
export function endCost(costs: Record<ShapeName, Costs>): EndCost {
  const rounds = costs.four.length;
  const operation: number[] = [];
  const end: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const cost = (name: ShapeName) => costs[name][round]![0] + costs[name][round]![1];
    operation.push((cost('eight') - cost('four')) / 4);
    end.push(cost('fourOnTwo') - 2 * cost('two') + cost('nothing'), cost('eightOnTwo') - 2 * cost('four') + cost('nothing'));
  }
  const operation_us = median(operation);
  const end_us = median(end);
  return { operation_us, end_us, end_operations: end_us / operation_us };
}
