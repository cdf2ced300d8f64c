// The report of the benchmark: the rows of the JSON file, and the tables of both sections as text.

import type { Span } from '../../kit/closed-loop.ts';
import { median } from '../../kit/statistics.ts';
import { table } from '../../kit/table.ts';
import type { Mode } from './question.ts';

/** One line of the JSON file. */
export interface Row<M extends string = Mode> {
  mode: M;
  in_flight: number;
  ops_per_s: number;
  gateway_cpu_us_per_op: number;
  client_cpu_us_per_op: number;
}

/** The medians over a cell's rounds, separately for each figure. */
export function rowOf<M extends string = Mode>(mode: M, inFlight: number, spans: readonly Span[]): Row<M> {
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
  return table(
    head,
    rows.map((row) => {
      const unary = rows.find(({ mode, in_flight }) => mode === 'unary' && in_flight === row.in_flight);
      return [
        row.mode,
        String(row.in_flight),
        row.ops_per_s.toLocaleString('en'),
        unary === undefined ? '' : `${(row.ops_per_s / unary.ops_per_s).toFixed(1)} x`,
        row.gateway_cpu_us_per_op.toFixed(2),
        row.client_cpu_us_per_op.toFixed(2),
      ];
    }),
  );
}

/** CPU microseconds per transaction: [client, both gateways], one for each round. */
export type Costs = readonly (readonly [client: number, gateways: number])[];

export const SHAPES = {
  nothing: { operations: 0, participants: 1 },
  four: { operations: 4, participants: 1 },
  sixteen: { operations: 16, participants: 1 },
  fourOnTwo: { operations: 4, participants: 2 },
  sixteenOnTwo: { operations: 16, participants: 2 },
} as const;
export type ShapeName = keyof typeof SHAPES;

export function shapesTable(costs: Record<ShapeName, Costs>): string {
  const head = ['operations', 'shards', 'client CPU µs/tx', 'gateways CPU µs/tx', 'together'];
  return table(
    head,
    Object.entries(SHAPES).map(([name, { operations, participants }]) => {
      const rounds = costs[name as ShapeName];
      const client = median(rounds.map(([own]) => own));
      const gateways = median(rounds.map(([, theirs]) => theirs));
      return [
        String(operations),
        operations === 0 ? '0' : String(participants),
        client.toFixed(2),
        gateways.toFixed(2),
        (client + gateways).toFixed(2),
      ];
    }),
  );
}

export interface EndCost {
  /** if the transaction is executed and committed in one message, and holds no lock */
  operation_us: number;
  /** if its lock is held until the outcome arrives */
  held_operation_us: number;
  /** prepare, vote and outcome of a transaction on two shards */
  end_us: number;
  /** the same cost as a number of held operations */
  end_operations: number;
}

/**
 * The CPU time C of a transaction, client and gateways together, is a line over its number of operations, on one shard and on two.
 * The slopes are the cost of an operation; F is the intercept. On two shards a transaction does everything that two transactions on
 * one shard do (two are begun, requested and answered), less the cost that the client pays once instead of twice: that of a
 * transaction that sends nothing. The rest of F is prepare, vote and outcome: F(two shards) - 2 F(one shard) + C(nothing). The
 * result is the median of all rounds.
 */
export function endCost(costs: Record<ShapeName, Costs>): EndCost {
  const perRound = costs.four.map((_, round) => {
    const cost = (name: ShapeName) => costs[name][round]![0] + costs[name][round]![1];
    const operation = (cost('sixteen') - cost('four')) / 12;
    const held = (cost('sixteenOnTwo') - cost('fourOnTwo')) / 12;
    const end = cost('fourOnTwo') - 4 * held - 2 * (cost('four') - 4 * operation) + cost('nothing');
    return { operation, held, end };
  });
  const held_operation_us = median(perRound.map(({ held }) => held));
  const end_us = median(perRound.map(({ end }) => end));
  return {
    operation_us: median(perRound.map(({ operation }) => operation)),
    held_operation_us,
    end_us,
    end_operations: end_us / held_operation_us,
  };
}
