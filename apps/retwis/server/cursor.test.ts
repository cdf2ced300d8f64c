import { expect, test } from 'vitest';

import { entryCursor, parseEntryCursor, parseIdCursor } from './cursor.ts';
import { repostEntry, type Place } from './model.ts';

test('a cursor names the place it was made of', () => {
  const places: Place[] = [
    { id: '1c-4f', at_ms: 1_763_000_000_123 },
    { id: repostEntry('1c-4f', '1c-2'), at_ms: 0 },
    { id: 'l7', at_ms: Number.MAX_SAFE_INTEGER / 1_000 },
  ].map(({ id, at_ms }) => ({ id, at_ms: Math.floor(at_ms) }));
  for (const place of places) expect(parseEntryCursor(entryCursor(place))).toEqual(place);
});

test('a cursor from nowhere is none', () => {
  for (const text of ['', '.', '1c-4f', 'zz.', '.1c', '-1.1c', '1.5.a b', 'A.1c', '1.é', `1.${'x'.repeat(129)}`, '1.a\n']) {
    expect([text, parseEntryCursor(text)]).toEqual([text, null]);
  }
  for (const text of ['', 'a~b', 'a b', '../x', 'x'.repeat(65)]) expect([text, parseIdCursor(text)]).toEqual([text, null]);
  expect(parseIdCursor('1c-4f')).toBe('1c-4f');
});
