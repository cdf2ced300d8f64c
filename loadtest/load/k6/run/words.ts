// The results of a load test in words: the rows of its tables, both printed and on the page.

import { table } from '../../../kit/table.ts';
import { thousands } from '../../../kit/figures/axis.ts';
import { HOLD, isUnchecked, type Entry } from './entry.ts';
import { STAGES, type JoinFigures, type StageFigures } from './join-figures.ts';

/** One row of a table: its label, and its value for each entry. */
export type Row = [label: string, of: (entry: Entry) => string];

export const ms = (value: number | null): string => (value === null ? '–' : `${thousands(value < 10 ? value : Math.round(value))} ms`);

const coresOf =
  (name: (process: string) => boolean) =>
  ({ cores }: Entry) => {
    const taken = Object.entries(cores)
      .filter(([process]) => name(process))
      .map(([, value]) => value);
    return taken.length === 0 ? '–' : taken.map((value) => value.toFixed(2)).join(' + ');
  };

function backToNormal({ back_to_normal_s }: Entry): string {
  if (back_to_normal_s === undefined) return '–';
  return back_to_normal_s === null ? 'not within the storm' : `${back_to_normal_s} s`;
}

export const ROWS: readonly Row[] = [
  ['accepted/s', ({ accepted_per_s }) => thousands(accepted_per_s)],
  ['accepted/s, best second', ({ accepted_per_s_max }) => thousands(accepted_per_s_max)],
  ['p50', ({ p50_ms }) => ms(p50_ms)],
  ['p99', ({ p99_ms }) => ms(p99_ms)],
  ['shed', ({ shed }) => thousands(shed)],
  ['dropped', ({ dropped }) => thousands(dropped)],
  ['unknown', ({ unknown }) => thousands(unknown)],
  ['failed', ({ failed }) => thousands(failed)],
  ['refused by a rule', ({ refused }) => thousands(Object.values(refused).reduce((sum, count) => sum + count, 0))],
  ['back to normal after', backToNormal],
  ['cores: gateways', coresOf((name) => name.startsWith('gateway'))],
  ['cores: sites', coresOf((name) => name !== 'k6' && !name.startsWith('gateway'))],
  ['cores: k6', coresOf((name) => name === 'k6')],
  ['cores: machine', ({ machine_cores }) => (machine_cores === null ? '–' : machine_cores.toFixed(2))],
  ['thresholds', ({ thresholds }) => (thresholds === null ? '–' : thresholds.length === 0 ? 'met' : `${thresholds.length} crossed`)],
  ['invariants', (entry) => (entry.invariants === HOLD ? 'hold' : isUnchecked(entry) ? 'not checked' : 'BROKEN')],
];

const STAGE_ROWS: readonly [label: string, of: (figures: StageFigures) => string][] = [
  ['seconds', ({ seconds }) => seconds.toFixed(1)],
  ['accepted/s', ({ accepted, seconds }) => (seconds === 0 ? '–' : thousands(Math.round((10 * accepted) / seconds) / 10))],
  ['p50', ({ p50_ms }) => ms(p50_ms)],
  ['p99', ({ p99_ms }) => ms(p99_ms)],
  ['longest', ({ longest_ms }) => ms(longest_ms)],
  ['longest time without an answer', ({ longest_gap_ms }) => ms(longest_gap_ms)],
  ['shed, unknown, failed', ({ shed, unknown, failed }) => [shed, unknown, failed].map(thousands).join(', ')],
];

/** One column for each stage of the storm around the join. */
export const stageTable = ({ stages }: JoinFigures): { head: string[]; rows: string[][] } => ({
  head: ['', ...STAGES],
  rows: STAGE_ROWS.map(([label, of]) => [label, ...STAGES.map((stage) => of(stages[stage]))]),
});

export function heldWords({ moves, held_p50_ms, held_p99_ms, held_longest_ms }: JoinFigures): string {
  const slots = moves.reduce((sum, move) => sum + move.slots, 0);
  const drains = moves.reduce((sum, move) => sum + move.drains, 0);
  return `${thousands(slots)} slots in ${moves.length} moves, held ${drains} times; each was held for ${ms(held_p50_ms)} (median), ${ms(held_p99_ms)} (p99), ${ms(held_longest_ms)} (longest) when it was handed over`;
}

function joinPrinted({ condition, join }: Entry): string[] {
  if (join === undefined || typeof join === 'string') return [];
  const { head, rows } = stageTable(join);
  return ['', `a shard joins (${condition}): ${heldWords(join)}`, '', table(head, rows)];
}

/** One column for each condition; bottlenecks below, because they are sentences. */
export function printed(entries: readonly Entry[]): string {
  const rows = ROWS.map(([label, of]) => [label, ...entries.map(of)]);
  const bottlenecks = entries.map(({ condition, bottleneck }) => `bottleneck${entries.length > 1 ? ` (${condition})` : ''}: ${bottleneck}`);
  const main = table(['', ...entries.map(({ condition }) => condition)], rows);
  return [main, '', ...bottlenecks, ...entries.flatMap(joinPrinted)].join('\n');
}
