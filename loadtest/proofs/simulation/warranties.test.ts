// Warranties answer in the simulation. Grants that hardly ever happen would prove nothing.
import { expect, test } from 'vitest';
import { run } from './run.ts';

const MINUTES = 0.05;
const SEEDS = [1, 2];

test('at least half of what is read in `promised` is answered by warranties', async () => {
  let reads = 0;
  let answers = 0;
  for (const seed of SEEDS) {
    const { violations } = await run({
      seed,
      minutes: MINUTES,
      plan: 'calm',
      workload: 'promised',
      onAttempt: ({ outcome, ops }) => {
        const seen = outcome === 'ok' ? ops.filter(({ result }) => result !== undefined) : [];
        reads += seen.length;
        answers += seen.filter(({ via }) => via === 'warranty').length;
      },
    });
    expect(violations).toEqual([]);
  }
  console.log(`${answers} of ${reads} reads were answered by warranties`);
  expect(answers / reads).toBeGreaterThan(0.5);
});

test('in `lent` others are served by the app servers that have made values firm', async () => {
  let served = 0;
  await run({ seed: 1, minutes: MINUTES, plan: 'calm', workload: 'lent', onAttempt: ({ label }) => void (label === 'Borrow' && served++) });
  console.log(`${served} borrowers`);
  expect(served).toBeGreaterThan(50);
});
