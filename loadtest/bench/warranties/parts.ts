// The parts of the warranties benchmark: which conditions and ways of sending take turns, and what is expected of them (issue 24,
// section 6 of the design).

import { PHASES } from './phases.ts';
import type { CellPlan, PartPlan, Target } from './plan.ts';

const both = (way: string): CellPlan[] => [
  { condition: 'off', way },
  { condition: 'auto', way },
];

function topn(users: number): PartPlan {
  const targets: Record<number, number> = { 128: 9.9, 1_024: 50 };
  return {
    part: `topn ${users.toLocaleString('en')}`,
    workload: 'topn',
    shards: 1,
    users,
    inFlight: 16,
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
  inFlight: 16,
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
  inFlight: 1,
  targets: [
    {
      what: 'median time of a transaction, to off',
      value: (of) => of('auto', 'traversals').read_p50_ms / of('off', 'traversals').read_p50_ms,
      most: 0.2,
    },
  ],
};

const MESSAGES: Readonly<Record<string, number>> = {
  'reads two shards': 0,
  'reads one shard, changes it': 1,
  'reads one shard, changes the other': 1,
  'reads two shards, changes one': 1,
};

const phases: PartPlan = {
  part: 'phases',
  workload: 'phases',
  shards: 2,
  users: 0,
  inFlight: 1,
  cells: Object.keys(PHASES).flatMap((way): CellPlan[] => [
    { condition: 'off', way },
    { condition: 'on', way },
  ]),
  targets: [
    ...Object.entries(MESSAGES).map(([way, messages]): Target => ({
      what: `messages of a transaction that ${way}`,
      value: (of) => of('on', way).messages_per_txn,
      most: messages + 0.05,
    })),
    {
      what: 'time of a transaction that reads one shard, changes the other; to off',
      value: (of) =>
        of('on', 'reads one shard, changes the other').write_p50_ms! / of('off', 'reads one shard, changes the other').write_p50_ms!,
      most: 0.6,
    },
  ],
};

/** In the order in which they run. */
export const PARTS: Readonly<Record<string, readonly PartPlan[]>> = {
  topn: [topn(128), topn(1_024), topn(8_192)],
  oo7: [oo7, oo7Alone],
  phases: [phases],
};
