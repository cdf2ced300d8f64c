// Crash runs detect mistakes: each mistake in the gateways (sabotage.ts) is found within some rounds, and so is one in the clients.
import { expect, test } from 'vitest';
import { Run, type RunOptions } from './run.ts';

const MISTAKES: { sabotage: string; workload?: string; roundsMax: number; finds: RegExp; backupShare: number }[] = [
  { sabotage: 'told-before-synced', roundsMax: 25, finds: /^(?:result|half|lost)/, backupShare: 0 },
  { sabotage: 'records-not-put', roundsMax: 25, finds: /^result/, backupShare: 0 },
  { sabotage: 'answers-not-put', roundsMax: 25, finds: /applied twice/, backupShare: 0 },
  { sabotage: 'answers-not-logged', roundsMax: 25, finds: /applied twice/, backupShare: 0 },
  { sabotage: 'backup-cut-early', roundsMax: 25, finds: /^backup of \d+: /, backupShare: 1 },
  { sabotage: 'told-before-synced', workload: 'natives', roundsMax: 25, finds: /^native: /, backupShare: 0 },
  { sabotage: 'told-before-synced', workload: 'redis', roundsMax: 25, finds: /^(?:native|half a transaction): /, backupShare: 0 },
  {
    sabotage: 'told-before-synced',
    workload: 'own-types',
    roundsMax: 25,
    finds: /^(?:result|half|lost|driver .* are taken)/,
    backupShare: 0,
  },
  { sabotage: 'natives-not-positioned', workload: 'natives', roundsMax: 25, finds: /^native: /, backupShare: 0 },
  { sabotage: 'epoch-half', workload: 'lists', roundsMax: 25, finds: /^(?:driver .*saw half a transaction|half|result)/, backupShare: 0 },
];

test.each(MISTAKES)(
  '$sabotage is found within $roundsMax rounds of $workload',
  async ({ sabotage, workload = 'rawmix', roundsMax, finds, backupShare }) => {
    const options: RunOptions = {
      rounds: roundsMax,
      seed: 5,
      workload,
      durability: 'sync',
      disk: 'volatile',
      sabotage,
      backupShare,
    };
    const run = new Run(options);
    try {
      const { wrong, rounds } = await run.run();
      console.log(`${sabotage}: round ${rounds} of ${roundsMax}`);
      expect(wrong.join('\n')).toMatch(new RegExp(finds, 'm'));
    } finally {
      await run.end();
    }
  },
);

// It needs a gateway that starts with an earlier clock and gives a timestamp that only a read has had.
test('a start below the ceiling of the log is found if clocks jump', { timeout: 3_600_000 }, async () => {
  const roundsMax = 100;
  const sabotage = 'start-below-ceiling';
  const common = { seed: 5, workload: 'rawmix', durability: 'sync', disk: 'volatile' } as const;
  const run = new Run({ ...common, rounds: roundsMax, clocks: true, sabotage, backupShare: 0 });
  try {
    const { wrong, rounds } = await run.run();
    console.log(`${sabotage}: round ${rounds} of ${roundsMax}`);
    expect(wrong.join('\n')).toMatch(/^(?:timestamp|order|result)/m);
  } finally {
    await run.end();
  }
});

test('answers from memory that are stale are found', async () => {
  const mistake = 'lease-too-long';
  const roundsMax = 25;
  const run = new Run({
    rounds: roundsMax,
    seed: 5,
    workload: 'warranted',
    durability: 'sync',
    disk: 'volatile',
    warranties: 'auto',
    mistake,
    backupShare: 0,
  });
  try {
    const { wrong, rounds } = await run.run();
    console.log(`${mistake}: round ${rounds} of ${roundsMax}`);
    expect(wrong.join('\n')).toMatch(/^(?:result|order|.*what a body sees)/m);
  } finally {
    await run.end();
  }
});
