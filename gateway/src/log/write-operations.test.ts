import { expect, test } from 'vitest';
import { put, remove } from './sample.ts';
import { pairKey, type Store, type StoreOperation } from './store.ts';
import { addPairs } from './write-operations.ts';

/** A store that holds no pairs, and counts how often its keys are looked up. */
function emptyStore(): { store: Store; lookups: () => number } {
  let lookups = 0;
  const keys = () => {
    lookups++;
    return [];
  };
  return { store: { keys } as unknown as Store, lookups: () => lookups };
}

test('the removal of a record looks nothing up: after 100,000 have expired, a checkpoint has as many', async () => {
  const { store, lookups } = emptyStore();
  const operations: StoreOperation[] = [];
  await addPairs(Buffer.concat([put('a', '1'), remove('a', 'a\0'), remove('b', 'b\0')]), store, operations);
  expect(operations.map(({ type, key }) => [type, Buffer.from(key).toString()])).toEqual(
    [
      ['put', 'a'],
      ['del', 'a'],
      ['del', 'b'],
    ].map(([type, key]) => [type, Buffer.from(pairKey(Buffer.from(key!))).toString()]),
  );
  expect(lookups()).toBe(0);
  await addPairs(Buffer.concat([remove('a', 'b'), remove('a', 'a\x01'), remove('a', 'b\0')]), store, []);
  expect(lookups(), 'other ranges may hold more than they name').toBe(3);
});
