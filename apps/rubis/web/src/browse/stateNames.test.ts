import { expect, it } from 'vitest';
import { REGIONS } from '../../../server/data/regions.ts';
import { stateName } from './stateNames.ts';

it('every state of the catalogue has a name', () => {
  expect(REGIONS.length).toBeGreaterThan(0);
  for (const { state } of REGIONS) expect(stateName(state)).not.toBe(state);
});
