// The real program finds each claim that is wrong on purpose, and nothing in the twins.
import { afterAll, expect, test } from 'vitest';
import { MISTAKES } from '../testing/wrong-claims.ts';
import { TypeTrials } from './type-trials.ts';

const trials = new TypeTrials();
afterAll(() => trials.close());

test.each(MISTAKES)('$what', async ({ wrong }) => {
  // It ends with the first case that is found.
  const { failure } = await trials.run(wrong, { seconds: 60, seed: '1' });
  expect(failure).toMatchObject({ broken: expect.stringMatching(/another result|order of commits|refused/) });
});

test('nothing is found in a twin', async () => {
  for (const right of new Set(MISTAKES.map((mistake) => mistake.right))) {
    expect((await trials.run(right, { seconds: 0.1, seed: '1' })).failure).toBeUndefined();
  }
});
