// The real program finds each claim that is wrong on purpose, and nothing in its twin.
import { afterAll, expect, test } from 'vitest';
import { MISTAKES } from '../testing/wrong-claims.ts';
import { TypeTrials } from './type-trials.ts';

const trials = new TypeTrials();
afterAll(() => trials.close());

test.each(MISTAKES)('$what', async ({ wrong, right }) => {
  for (const seed of ['1', '2']) {
    // It ends with the first case that is found.
    const { failure } = await trials.run(wrong, { seconds: 60, seed });
    expect(failure).toMatchObject({ broken: expect.stringMatching(/another result|order of commits|refused/) });
    expect((await trials.run(right, { seconds: 0.1, seed })).failure).toBeUndefined();
  }
});
