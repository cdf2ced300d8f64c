// Natives beside transactions, on one shard with a few very popular records (alpha 1.4): half of all operations are natives, the other
// half belong to interactive transactions of up to four operations. The same traffic is sent in three ways, which take turns.

import { conditionNamed } from '../../kit/conditions.ts';
import { DriverProcess } from '../../kit/driver-process.ts';
import { median } from '../../kit/statistics.ts';
import { table } from '../../kit/table.ts';
import { setConditions, withCluster } from '../../kit/with-cluster.ts';
import type { Curve } from '../mediator/curves.ts';
import type { CellAnswer, CellQuestion, Measured } from '../mediator/question.ts';
import type { Shares } from '../mediator/traffic.ts';
import { Mismatch } from '../paper/mismatch.ts';

const SHARES: Omit<Shares, 'reads'> = { natives: 0.5, size: 4, alpha: 1.4 };
const CLIENTS = 256;
const WARM_SHARE = 0.4;

/** Adds alone commute, and so do reads alone; a mix of both conflicts. */
export const MIXES = [
  { name: 'adds', reads: 0 },
  { name: 'reads', reads: 1 },
  { name: 'half adds', reads: 0.5 },
] as const;
export type MixName = (typeof MIXES)[number]['name'];

/**
 * native       natives beside transactions
 * none         the same, sent in the same way, under `locks: none`: what concurrency control costs
 * transaction  each native as a transaction of one operation
 */
const WAYS = {
  native: { curve: 'mediator', condition: 'abstract+combining+phasing' },
  none: { curve: 'mediator', condition: 'none' },
  transaction: { curve: 'transactional', condition: 'abstract+combining+phasing' },
} as const satisfies Record<string, { curve: Curve; condition: string }>;
export type Way = keyof typeof WAYS;

export interface BesideCell {
  mix: MixName;
  way: Way;
  rounds: Measured[];
}

/** Throws `Mismatch` if the counters do not hold what was acknowledged. */
export async function measureBeside({ seed, seconds, rounds }: { seed: number; seconds: number; rounds: number }): Promise<BesideCell[]> {
  const ways = Object.keys(WAYS) as Way[];
  const cells = MIXES.flatMap(({ name }) => ways.map((way): BesideCell => ({ mix: name, way, rounds: [] })));
  await withCluster(1, {}, async (cluster) => {
    const driver = new DriverProcess<CellQuestion, CellAnswer>(new URL('../mediator/driver.ts', import.meta.url), []);
    const at = {
      addresses: cluster.gateways.map(({ grpc }) => grpc),
      rests: cluster.gateways.map(({ rest }) => rest),
      pids: cluster.gateways.map(({ pid }) => pid),
      poll_us: 0,
    };
    try {
      // In the first round, which is discarded, compilers settle.
      for (let round = -1; round < rounds; round++) {
        for (const { mix, way, rounds: measured } of cells) {
          const { curve, condition } = WAYS[way];
          await setConditions(cluster, conditionNamed(condition));
          const shares = { ...SHARES, reads: MIXES.find(({ name }) => name === mix)!.reads };
          const span = { warm_seconds: WARM_SHARE * seconds, seconds };
          const { mismatches, ...figures } = await driver.ask({ ask: 'cell', ...at, curve, shares, clients: CLIENTS, seed, ...span });
          if (mismatches.length > 0) throw new Mismatch(`natives beside transactions, ${mix}, ${way}: ${mismatches[0]}`);
          if (round >= 0) measured.push(figures);
        }
      }
    } finally {
      await driver.close();
    }
  });
  return cells;
}

/** The median over the rounds of a figure's ratio between two ways. */
export function ratioOf(cells: readonly BesideCell[], mix: MixName, own: Way, other: Way, figure: (of: Measured) => number): number {
  const [ours, theirs] = [own, other].map((wanted) => cells.find((cell) => cell.mix === mix && cell.way === wanted)!.rounds);
  return median(ours!.map((round, i) => figure(round) / figure(theirs![i]!)));
}

export function besideTable(cells: readonly BesideCell[]): string {
  const head = ['mix, way', 'natives/s', 'txn/s', 'txn p99 ms', 'retries/txn', 'gateway CPU µs/op', 'client CPU µs/op'];
  return table(
    head,
    cells.map(({ mix, way, rounds }) => {
      const middle = (figure: (of: Measured) => number) => median(rounds.map(figure));
      return [
        `${mix}, ${way}`,
        Math.round(middle(nativesOf)).toLocaleString('en'),
        Math.round(middle(({ txn_per_s }) => txn_per_s)).toLocaleString('en'),
        middle(({ txn_p99_ms }) => txn_p99_ms ?? Number.NaN).toFixed(2),
        middle(({ retries_per_txn }) => retries_per_txn).toFixed(2),
        middle(({ gateway_us_per_op }) => gateway_us_per_op).toFixed(2),
        middle(({ client_us_per_op }) => client_us_per_op).toFixed(2),
      ];
    }),
  );
}

const nativesOf = ({ natives_per_s }: Measured) => natives_per_s;

/** One line for each goal and mix. */
export function besideVerdicts(cells: readonly BesideCell[]): string[] {
  const line = (what: string, ratio: number, goal: number) =>
    `${what}: ${ratio.toFixed(2)} x (goal: ${goal} x, ${ratio >= goal ? 'met' : 'missed'})`;
  return MIXES.flatMap(({ name }) => [
    line(`${name}: natives beside transactions, to the same without locks`, ratioOf(cells, name, 'native', 'none', nativesOf), 0.95),
    line(
      `${name}: transactions beside natives, to transactions beside transactions of one operation`,
      ratioOf(cells, name, 'native', 'transaction', ({ txn_per_s }) => txn_per_s),
      0.95,
    ),
  ]);
}
