// As sizes.test.ts, for longer.
import { expect, test } from 'vitest';
import { Sizes } from './testing/sizes.ts';

test('what is over a limit is refused alone, through every entrance', async () => {
  const { executed, counted } = await Sizes.run(1_500);
  expect(counted).toBe(executed);
});
