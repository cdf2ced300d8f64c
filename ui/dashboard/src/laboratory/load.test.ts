import { expect, test } from 'vitest';
import { usualLoad, wishFor, type LoadKind } from './load.ts';
import { WAYS } from './conditions.ts';

const bids: LoadKind = { spike: { spike: 'bid-spike', clients: 128 }, seconds: 12, modes: WAYS };

test('a load runs under each mode for an equal part of its time', () => {
  const { conditions, stages, seconds } = wishFor({ ...usualLoad(bids), seconds: 20 }, bids);
  expect(seconds).toBe(20);
  expect(conditions).toBe(WAYS[0].conditions);
  expect(stages).toEqual([5, 10, 15].map((after_s, place) => ({ after_s, conditions: WAYS[place + 1]!.conditions })));
});

test('not in turn it leaves the conditions as they are, and only rawmix gets its parameters', () => {
  const alone = { ...usualLoad(bids), isInTurn: false };
  expect(wishFor(alone, bids)).toEqual({ spike: 'bid-spike', clients: 128, seconds: 48 });
  expect(wishFor({ ...alone, spike: 'rawmix' }, bids)).toEqual({ spike: 'rawmix', clients: 128, seconds: 48, alpha: 1, update: 0.5 });
});
