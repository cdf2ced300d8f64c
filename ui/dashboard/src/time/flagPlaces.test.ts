import { expect, test } from 'vitest';
import { flagPlaces } from './flagPlaces.ts';

test('flags take turns in two rows and keep off the next pole of theirs', () => {
  const places = flagPlaces([100, 130, 300, 320], 1_000);
  expect(places.map(({ row }) => row)).toEqual([0, 1, 0, 1]);
  expect(places[0]!.room).toBe(200);
  expect(places[1]!.room).toBe(190);
});

test('the newest waves to the left where the right end is near', () => {
  const [only] = flagPlaces([980], 1_000);
  expect(only).toMatchObject({ waves: 'left', room: 980 });
  expect(flagPlaces([500], 1_000)[0]).toMatchObject({ waves: 'right', room: 500 });
});
