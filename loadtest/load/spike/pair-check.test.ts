import { expect, it } from 'vitest';
import { PairCheck } from './pair-check.ts';

const held = (...texts: string[]) => texts.flatMap((text) => [text, text]);

it('pairs that hold their newest acknowledged write are as they should be', () => {
  const check = new PairCheck(3);
  const [one, other] = [check.begin(), check.begin()];
  check.committed(other, [0, 1], 20n);
  check.committed(one, [0, 2], 10n);
  check.read([0, 1, 2], held('2', '2', '1'), check.least([0, 1, 2]));
  expect(check.mismatches(held('2', '2', '1'))).toEqual([]);
});

it('a list may read a write that is not acknowledged yet, and one whose outcome is unknown may stay', () => {
  const check = new PairCheck(2);
  const [one, other] = [check.begin(), check.begin()];
  check.committed(one, [0, 1], 10n);
  check.read([0], ['2', '2'], check.least([0]));
  check.unsure(other);
  expect(check.mismatches(held('2', '1'))).toEqual([]);
});

it('a read of unequal registers, of what was overwritten before, or of what nobody wrote is a mismatch', () => {
  const check = new PairCheck(3);
  const [one, other] = [check.begin(), check.begin()];
  check.committed(one, [0, 1, 2], 10n);
  const before = check.least([0, 1, 2]);
  check.committed(other, [0, 1, 2], 20n);
  check.read([0, 1, 2], held('1', '1', '2'), before);
  expect(check.mismatches(held('2', '2', '2')), 'what was there when the list began may be read').toEqual([]);
  check.read([0, 1, 2], ['1', '2', '1', '1', '3', '3'], check.least([0, 1, 2]));
  expect(check.mismatches(held('2', '2', '2'))).toEqual([
    'pair 0: a list read 1 and 2',
    'pair 1: a list read 1, which was overwritten before',
    'pair 2: a list read 3, which nobody has written',
  ]);
});

it('in the end a lost, torn or resurrected write is a mismatch', () => {
  const check = new PairCheck(3);
  const [one, other] = [check.begin(), check.begin()];
  check.committed(one, [0, 1, 2], 10n);
  check.committed(other, [0, 1, 2], 20n);
  expect(check.mismatches(['0', '0', '2', '1', '1', '1'])).toEqual([
    'pair 0: the registers hold 0, and the newest acknowledged write is 2',
    'pair 1: the registers hold 2 and 1',
    'pair 2: the registers hold 1, and the newest acknowledged write is 2',
  ]);
});

it('many mismatches are counted', () => {
  const check = new PairCheck(12);
  check.committed(check.begin(), [...Array(12).keys()], 10n);
  expect(check.mismatches(held(...Array<string>(12).fill('0'))).at(-1)).toBe('and 2 other pairs');
});
