// The report of the types benchmark: rows, the table, and the verdicts. Ratios are medians of the ratios within the rounds.

import type { Span } from '../../kit/closed-loop.ts';
import { median } from '../../kit/statistics.ts';
import { table } from '../../kit/table.ts';
import { ON_VALUES, SUBJECTS, WAYS, type Subject, type Way } from './question.ts';

/** The greatest CPU time of the gateway for an operation, as a native, to that of the built-in one. */
const cpuGoalOf = (subject: Subject) => (ON_VALUES.has(subject) ? 10 : 3);

export interface Cell {
  subject: Subject;
  way: Way;
  /** one for each round */
  spans: Span[];
}

/** One line of the JSON file. */
export interface Row {
  subject: Subject;
  way: Way;
  ops_per_s: number;
  gateway_us_per_op: number;
  client_us_per_op: number;
  /** throughput to that of the hand-written transaction */
  to_by_hand: number;
  /** CPU time of the gateway to that of the built-in operation */
  cpu_to_built_in: number;
  /** the least and the greatest of that in a round */
  cpu_to_built_in_range: [number, number];
}

const speedOf = ({ count, seconds }: Span) => count / seconds;
const gatewayUs = ({ server_cpu_us, count }: Span) => server_cpu_us / count;
const clientUs = ({ client_cpu_us, count }: Span) => client_cpu_us / count;
const rounded = (value: number) => Math.round(value * 100) / 100;

function spansOf(cells: readonly Cell[], subject: Subject, way: Way): readonly Span[] {
  return cells.find((cell) => cell.subject === subject && cell.way === way)!.spans;
}

const ratios = (own: readonly Span[], other: readonly Span[], of: (span: Span) => number) =>
  own.map((span, round) => of(span) / of(other[round]!));

export function rowsOf(cells: readonly Cell[]): Row[] {
  return cells.map(({ subject, way, spans }) => {
    const costs = ratios(spans, spansOf(cells, subject, 'built-in'), gatewayUs);
    return {
      subject,
      way,
      ops_per_s: Math.round(median(spans.map(speedOf))),
      gateway_us_per_op: rounded(median(spans.map(gatewayUs))),
      client_us_per_op: rounded(median(spans.map(clientUs))),
      to_by_hand: rounded(median(ratios(spans, spansOf(cells, subject, 'by hand'), speedOf))),
      cpu_to_built_in: rounded(median(costs)),
      cpu_to_built_in_range: [rounded(Math.min(...costs)), rounded(Math.max(...costs))],
    };
  });
}

export function typesTable(rows: readonly Row[]): string {
  const head = ['operation, way', 'operations/s', 'to by hand', 'gateway CPU µs/op', 'to built-in', 'client CPU µs/op'];
  return table(
    head,
    rows.map((row) => [
      `${row.subject}, ${row.way}`,
      row.ops_per_s.toLocaleString('en'),
      `${row.to_by_hand.toFixed(2)} x`,
      row.gateway_us_per_op.toFixed(2),
      `${row.cpu_to_built_in.toFixed(2)} x`,
      row.client_us_per_op.toFixed(2),
    ]),
  );
}

export function verdicts(rows: readonly Row[]): string[] {
  return SUBJECTS.flatMap((subject) => {
    const native = rows.find((row) => row.subject === subject && row.way === 'native');
    if (native === undefined) return [];
    const { cpu_to_built_in, cpu_to_built_in_range: range } = native;
    const goal = cpuGoalOf(subject);
    return [
      `${subject}: CPU time of the gateway to the built-in operation: ${cpu_to_built_in.toFixed(2)} x, ` +
        `${range.map((one) => one.toFixed(2)).join(' to ')} in the rounds (goal: at most ${goal} x, ${cpu_to_built_in <= goal ? 'met' : 'missed'})`,
    ];
  });
}

/** The cells in the order of a round: the ways of a subject directly after each other, in each round from another one on. */
export function inTurn(cells: readonly Cell[], round: number): Cell[] {
  return SUBJECTS.flatMap((subject) => {
    const own = cells.filter((cell) => cell.subject === subject);
    return own.map((_, at) => own[(at + round + own.length) % own.length]!);
  });
}

export const emptyCells = (): Cell[] => SUBJECTS.flatMap((subject) => WAYS.map((way): Cell => ({ subject, way, spans: [] })));
