// The figures of the benchmark of processes: for each number in flight the median and the worst process.

import { median } from '../../kit/statistics.ts';
import { table } from '../../kit/table.ts';
import type { Answer } from './question.ts';

/** An answer for each number of transactions in flight. They were measured one after the other, so they are comparable. */
export type Round = ReadonlyMap<number, Answer>;

/** The goals for the greatest number in flight. */
const RATIO_GOAL = 1;
const P99_MS_GOAL = 10;

const inFlights = (rounds: readonly Round[]) => [...rounds[0]!.keys()].toSorted((a, b) => a - b);

export function processesTable(rounds: readonly Round[]): string {
  const rows = inFlights(rounds).map((inFlight) => {
    const of = (figure: Exclude<keyof Answer, 'mismatches'>) => rounds.map((round) => round.get(inFlight)![figure]);
    const both = (values: readonly number[], show: (value: number) => string, worst = Math.max(...values)) =>
      `${show(median(values))} (${show(worst)})`;
    const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
    const rates = of('txn_per_s');
    return [
      inFlight.toLocaleString('en'),
      both(rates, (rate) => Math.round(rate).toLocaleString('en'), Math.min(...rates)),
      both(of('p99_ms'), (ms) => ms.toFixed(1)),
      both(of('driver_us_per_txn'), (us) => us.toFixed(1)),
      both(of('collecting_share'), percent),
      both(of('longest_collection_ms'), (ms) => ms.toFixed(1)),
      both(of('promoted_share'), percent),
    ];
  });
  return table(['in flight', 'transactions/s', 'p99 ms', 'CPU µs/txn', 'collecting', 'longest ms', 'promoted'], rows);
}

/** Compares the most in flight with the fewest, process by process. */
export function verdicts(rounds: readonly Round[]): string[] {
  const all = inFlights(rounds);
  const [fewest, most] = [all[0]!, all.at(-1)!];
  const ratioOf = (figure: 'txn_per_s' | 'driver_us_per_txn') =>
    rounds.map((round) => round.get(most)![figure] / round.get(fewest)![figure]);
  const [speeds, costs] = [ratioOf('txn_per_s'), ratioOf('driver_us_per_txn')];
  const count = (met: (round: Round, i: number) => boolean) => `${rounds.filter(met).length} of ${rounds.length}`;
  const [fewestWord, mostWord] = [fewest, most].map((inFlight) => inFlight.toLocaleString('en'));
  return [
    `throughput at ${mostWord} in flight to that at ${fewestWord}: median ${median(speeds).toFixed(2)} x, worst ${Math.min(...speeds).toFixed(2)} x; ` +
      `at least ${RATIO_GOAL} x in ${count((_, i) => speeds[i]! >= RATIO_GOAL)} (goal: all)`,
    `CPU time per transaction at ${mostWord} in flight to that at ${fewestWord}: median ${median(costs).toFixed(2)} x, worst ${Math.max(...costs).toFixed(2)} x`,
    `p99 at ${mostWord} in flight at most ${P99_MS_GOAL} ms in ${count((round) => round.get(most)!.p99_ms <= P99_MS_GOAL)} (goal: all)`,
  ];
}
