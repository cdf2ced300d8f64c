import { expect, test } from 'vitest';

import { cursorOf, entryPosition, parseEntryPosition, parseIdPosition, positionOf } from './cursor.ts';
import { repostEntry, type EntryKey } from './model.ts';

test('a position identifies the entry it was made from', () => {
  const keys: EntryKey[] = [
    { id: '1c-4f', at_ms: 1_763_000_000_123 },
    { id: repostEntry('1c-4f', '1c-2'), at_ms: 0 },
    { id: 'l7', at_ms: Number.MAX_SAFE_INTEGER / 1_000 },
  ].map(({ id, at_ms }) => ({ id, at_ms: Math.floor(at_ms) }));
  for (const entry of keys) expect(parseEntryPosition(entryPosition(entry))).toEqual(entry);
});

test('a malformed position is refused', () => {
  for (const text of ['', '.', '1c-4f', 'zz.', '.1c', '-1.1c', '1.5.a b', 'A.1c', '1.é', `1.${'x'.repeat(129)}`, '1.a\n']) {
    expect([text, parseEntryPosition(text)]).toEqual([text, null]);
  }
  for (const text of ['', 'a~b', 'a b', '../x', 'x'.repeat(65)]) expect([text, parseIdPosition(text)]).toEqual([text, null]);
  expect(parseIdPosition('1c-4f')).toBe('1c-4f');
});

test('a cursor is valid for its own list only, and only complete', () => {
  const cursor = cursorOf('posts ann', 'mh6f2k1x.1-15');
  expect(positionOf('posts ann', cursor)).toBe('mh6f2k1x.1-15');
  expect(positionOf('posts ben', cursor)).toBeNull();
  const others = ['', '.', 'mh6f2k1x.1-15', cursor.slice(0, -1), cursor.slice(1), `${cursor}0`];
  for (const other of others) expect([other, positionOf('posts ann', other)]).toEqual([other, null]);
});
