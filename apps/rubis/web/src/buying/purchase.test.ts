import { describe, expect, it } from 'vitest';
import { isRefused, keepPending, newPurchaseId, quantityChoices, readPending } from './purchase.ts';

function memory() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}
const pending = { purchase_id: 'p1', quantity: 2 };

describe('a pending purchase', () => {
  it('is kept for its person and its auction, until its outcome is known', () => {
    const storage = memory();
    keepPending('ada', '7', pending, storage);
    expect(readPending('ada', '7', storage)).toEqual(pending);
    expect(readPending('ben', '7', storage)).toBeNull();
    expect(readPending('ada', '8', storage)).toBeNull();
    keepPending('ada', '7', null, storage);
    expect(storage.kept.size).toBe(0);
  });
  it('is null if the stored value is malformed, or storage is forbidden', () => {
    for (const kept of [
      '{',
      'null',
      '7',
      '{"purchase_id":3,"quantity":1}',
      '{"purchase_id":"p","quantity":0}',
      '{"purchase_id":"p","quantity":11}',
    ])
      expect(readPending('ada', '7', { getItem: () => kept })).toBeNull();
    const forbidden = () => {
      throw new Error('SecurityError');
    };
    expect(readPending('ada', '7', { getItem: forbidden })).toBeNull();
    expect(() => keepPending('ada', '7', pending, { setItem: forbidden, removeItem: forbidden })).not.toThrow();
  });
  it('has a unique id', () => {
    expect(newPurchaseId()).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(Array.from({ length: 100 }, newPurchaseId)).size).toBe(100);
  });
});

describe('the outcome of a purchase', () => {
  it('is known if the first attempt was refused', () => {
    for (const code of ['busy', 'sold_out', 'not_logged_in']) expect(isRefused(code, false)).toBe(true);
  });
  it('is unknown without an answer', () => {
    for (const code of ['network', 'unexpected', 'outcome_unknown', 'internal']) expect(isRefused(code, false)).toBe(false);
  });
  it('stays unknown if a later attempt is refused before the purchase was looked up', () => {
    for (const code of ['busy', 'overloaded', 'not_logged_in', 'network']) expect(isRefused(code, true)).toBe(false);
    for (const code of ['sold_out', 'not_enough_left', 'purchase_id_taken']) expect(isRefused(code, true)).toBe(true);
  });
});

it('one purchase is limited to the pieces left, and to ten', () => {
  expect(quantityChoices(0)).toEqual([]);
  expect(quantityChoices(3)).toEqual([1, 2, 3]);
  expect(quantityChoices(40)).toHaveLength(10);
});
