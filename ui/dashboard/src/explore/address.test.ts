import { expect, test } from 'vitest';
import { AT_FIRST, readAddress, writeAddress, type Address } from './address.ts';

test('what is as at first is not said', () => {
  expect(writeAddress(AT_FIRST)).toBe('');
  expect(readAddress('')).toEqual(AT_FIRST);
});

test('range, moment, record and what is open come back as they were', () => {
  const addresses: Address[] = [
    { width_ms: 600_000, at_ms: 1_764_440_400_123, record: '{item:a&b=1}:bids', opened: { transaction: '12.7' } },
    { width_ms: 1_500, at_ms: null, record: null, opened: { pair: { holder: 'Bid', comer: null }, isFrozen: false } },
    { ...AT_FIRST, opened: { pair: { holder: '', comer: '(native)' }, isFrozen: false } },
  ];
  for (const address of addresses) expect(readAddress(writeAddress(address))).toEqual(address);
});

test('a pair of a frozen matrix is not said, and nonsense is as nothing', () => {
  expect(writeAddress({ ...AT_FIRST, opened: { pair: { holder: 'Bid', comer: 'Bid' }, isFrozen: true } })).toBe('');
  expect(readAddress('?range=-3&at=yesterday&holder=Bid')).toEqual(AT_FIRST);
});
