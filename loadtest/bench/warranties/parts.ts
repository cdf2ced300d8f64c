// The parts of the warranties benchmark: which conditions and ways of sending take turns, and what is expected of them (issue 24,
// section 6 of the design).

import { PHASES } from './phases.ts';
import type { CellPlan, PartPlan, Target } from './plan.ts';

const IN_FLIGHT = 16;
/** of the parts that vary the load */
const LOADS = [1, 4, 16, 64];

const both = (way: string, inFlight = IN_FLIGHT): CellPlan[] => [
  { condition: 'off', way, inFlight },
  { condition: 'auto', way, inFlight },
];

function topn(users: number): PartPlan {
  const targets: Record<number, number> = { 128: 9.9, 1_024: 50 };
  return {
    part: `topn ${users.toLocaleString('en')}`,
    workload: 'topn',
    shards: 1,
    users,
    cells: [...both('reads'), ...both('computations'), ...both('ranked')],
    targets: [
      {
        what: `computations with warranties to reads without${users === 1_024 ? ' (the paper: 9.9)' : ''}`,
        value: (of) => of('auto', 'computations').txn_per_s / of('off', 'reads').txn_per_s,
        ...(targets[users] !== undefined && { least: targets[users] }),
      },
      {
        what: 'reads with warranties to reads without',
        value: (of) => of('auto', 'reads').txn_per_s / of('off', 'reads').txn_per_s,
        least: 1.5,
      },
      {
        what: 'runs of computations per change',
        value: (of) => of('auto', 'computations').body_runs_per_write,
        most: 4,
      },
    ],
  };
}

const oo7: PartPlan = {
  part: 'oo7',
  workload: 'oo7',
  shards: 2,
  users: 0,
  cells: both('traversals'),
  targets: [
    {
      what: 'transactions per second, to off (the paper: 2.2)',
      value: (of) => of('auto', 'traversals').txn_per_s / of('off', 'traversals').txn_per_s,
      least: 2.2,
    },
    {
      what: 'CPU time of the shared shard per transaction, to off',
      value: (of) => of('auto', 'traversals').gateway_us_per_txn[0]! / of('off', 'traversals').gateway_us_per_txn[0]!,
      most: 0.05,
    },
  ],
};

const oo7Alone: PartPlan = {
  ...oo7,
  part: 'oo7, one client',
  cells: both('traversals', 1),
  targets: [
    {
      what: 'median time of a transaction, to off',
      value: (of) => of('auto', 'traversals').read_p50_ms / of('off', 'traversals').read_p50_ms,
      most: 0.2,
    },
  ],
};

const cms = (workload: 'rubis' | 'retwis'): PartPlan => ({
  part: `cms ${workload}`,
  workload,
  shards: 1,
  users: 0,
  cells: both('pages'),
  targets: [
    {
      what: 'CPU time of the shard per page, to off',
      value: (of) => of('auto', 'pages').gateway_us_per_txn[0]! / of('off', 'pages').gateway_us_per_txn[0]!,
      most: 0.5,
    },
    {
      // Nearly all of them only read.
      what: 'share of transactions without a message',
      value: (of) => of('auto', 'pages').without_message,
      least: 0.6,
    },
    { what: 'pages per second, to off', value: (of) => of('auto', 'pages').over_off, least: 1.5 },
  ],
});

const MESSAGES: Readonly<Record<string, number>> = {
  'reads two shards': 0,
  'reads one shard, changes it': 1,
  'reads one shard, changes the other': 1,
  'reads two shards, changes one': 1,
};

const phases: PartPlan = {
  part: 'phases',
  workload: 'phases',
  usesMin: 0,
  shards: 2,
  users: 0,
  cells: Object.keys(PHASES).flatMap((way): CellPlan[] => [
    { condition: 'off', way, inFlight: 1 },
    { condition: 'auto', way, inFlight: 1 },
  ]),
  targets: [
    ...Object.entries(MESSAGES).map(([way, messages]): Target => ({
      what: `messages of a transaction that ${way}`,
      value: (of) => of('auto', way).messages_per_txn,
      most: messages + 0.05,
    })),
    {
      what: 'time of a transaction that reads one shard, changes the other; to off',
      value: (of) =>
        of('auto', 'reads one shard, changes the other').write_p50_ms! / of('off', 'reads one shard, changes the other').write_p50_ms!,
      most: 0.6,
    },
  ],
};

/** The paper's figure 4: throughput by the number of stores. */
const stores = (shards: number): PartPlan => ({ ...oo7, part: `stores ${shards}`, shards, targets: [] });

/** The paper's figure 5: latency by the load. */
const load = ({ part, ...plan }: PartPlan): PartPlan => ({
  ...plan,
  part: `load ${part}`,
  cells: LOADS.flatMap((inFlight) => both(plan.cells[0]!.way, inFlight)),
  targets: [],
});

/** In the order in which they run. */
export const PARTS: Readonly<Record<string, readonly PartPlan[]>> = {
  topn: [topn(128), topn(1_024), topn(8_192)],
  oo7: [oo7, oo7Alone],
  cms: [cms('rubis'), cms('retwis')],
  phases: [phases],
  stores: [stores(1), stores(2)],
  load: [load(oo7), load(cms('rubis')), load(cms('retwis'))],
};
