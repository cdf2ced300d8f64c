import { expect, test } from 'vitest';
import type { Conditions } from '@claret/client/telemetry';
import type { Mark } from '../store/telemetryStore.ts';
import { stretchesOf } from './stretches.ts';

const rw: Conditions = { locks: 'rw', phasing: false, combining: 'off' };
const abstract: Conditions = { locks: 'abstract', phasing: false, combining: 'off' };
const known = { from_ms: 0, to_ms: 100_000 };
const switched = (at_ms: number, conditions: Conditions): Mark => ({ at_ms, what: { conditions } });
const began = (at_ms: number): Mark => ({ at_ms, what: { spike: 'began', name: 'bid-spike' } });
const ended = (at_ms: number): Mark => ({ at_ms, what: { spike: 'ended', name: 'bid-spike' } });

test('time is cut at each intervention, and each stretch has its conditions and its spike', () => {
  const stretches = stretchesOf([switched(10_000, rw), began(20_000), switched(50_000, abstract), ended(80_000)], known, null);
  expect(stretches.map(({ span, conditions, spike }) => [span.from_ms, span.to_ms, conditions?.locks ?? null, spike])).toEqual([
    [0, 10_000, null, null],
    [10_000, 20_000, 'rw', null],
    [20_000, 50_000, 'rw', 'bid-spike'],
    [50_000, 80_000, 'abstract', 'bid-spike'],
    [80_000, 100_000, 'abstract', null],
  ]);
});

test('until the first change the conditions are the initial ones', () => {
  expect(stretchesOf([], known, rw)).toEqual([{ span: known, conditions: rw, spike: null, mark: null }]);
});

test('a spike whose beginning was not seen ran from the beginning of the history', () => {
  expect(stretchesOf([ended(30_000)], known, rw).map(({ spike }) => spike)).toEqual(['bid-spike', null]);
});

test('notes cut nothing; marks before the known time still count; later ones do not yet', () => {
  const stretches = stretchesOf(
    [switched(-5_000, rw), { at_ms: 40_000, what: { note: 'ramp up' } }, switched(100_500, abstract)],
    known,
    null,
  );
  expect(stretches.map(({ span, conditions }) => [span.from_ms, span.to_ms, conditions?.locks])).toEqual([[0, 100_000, 'rw']]);
});
