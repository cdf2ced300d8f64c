import { ApiProblem, failureOf } from '@claret/ui/site';
import { describe, expect, it } from 'vitest';
import { isRefused, keepPending, quantityChoices, readPending } from './purchase.ts';

function memory() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}
const pending = { key: 'k1', quantity: 2 };

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
    for (const kept of ['{', 'null', '7', '{"key":3,"quantity":1}', '{"key":"k","quantity":0}', '{"key":"k","quantity":11}'])
      expect(readPending('ada', '7', { getItem: () => kept })).toBeNull();
    const forbidden = () => {
      throw new Error('SecurityError');
    };
    expect(readPending('ada', '7', { getItem: forbidden })).toBeNull();
    expect(() => keepPending('ada', '7', pending, { setItem: forbidden, removeItem: forbidden })).not.toThrow();
  });
});

describe('the outcome of a purchase', () => {
  const failed = (code: string, status: number) => failureOf(new ApiProblem(code, 'No.', { status }));
  it('is known if the first attempt was refused', () => {
    for (const failure of [failed('busy', 503), failed('sold_out', 409), failed('not_logged_in', 401), failed('key_expired', 409)])
      expect(isRefused(failure, false)).toBe(true);
  });
  it('is unknown without an answer', () => {
    for (const [code, status] of [
      ['network', 0],
      ['unexpected', 502],
      ['outcome_unknown', 503],
      ['internal', 500],
    ] as const)
      for (const wasUnknown of [false, true]) expect(isRefused(failed(code, status), wasUnknown)).toBe(false);
  });
  it('stays unknown if a later attempt is refused before the purchase was looked up', () => {
    for (const failure of [failed('busy', 503), failed('overloaded', 503), failed('not_logged_in', 401), failed('too_many_attempts', 429)])
      expect(isRefused(failure, true)).toBe(false);
    for (const failure of [
      failed('sold_out', 409),
      failed('not_enough_left', 409),
      failed('unknown_item', 404),
      failed('key_expired', 409),
    ])
      expect(isRefused(failure, true)).toBe(true);
  });
});

it('one purchase is limited to the pieces left, and to ten', () => {
  expect(quantityChoices(0)).toEqual([]);
  expect(quantityChoices(3)).toEqual([1, 2, 3]);
  expect(quantityChoices(40)).toHaveLength(10);
});
