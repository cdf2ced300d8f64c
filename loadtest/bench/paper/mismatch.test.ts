import { expect, it } from 'vitest';
import { Mismatch, judged } from './mismatch.ts';
import { cellRow } from './testing.ts';

it('a mismatch ends the run with its location and content; under none it is counted', () => {
  const texts = Array.from({ length: 7 }, (_, i) => `thing ${i}`);
  expect(judged(cellRow({ condition: 'rw' }), [])).toEqual(cellRow({ condition: 'rw' }));
  expect(() => judged(cellRow({ condition: 'rw', round: 1 }), texts)).toThrow(Mismatch);
  expect(() => judged(cellRow({ condition: 'rw', round: 1 }), texts)).toThrow(
    /rawmix alpha=1 update=0.5, interactive, 64 clients, rw, round 2:\n {2}thing 0\n(.*\n){4} {2}and 2 more$/,
  );
  expect(judged(cellRow({ condition: 'none' }), texts).anomalies).toBe(7);
});
