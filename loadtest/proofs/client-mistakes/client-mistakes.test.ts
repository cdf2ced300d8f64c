// Each mistake of the client has its place in the source. After a change of that place, the mistake has to be put in another way.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { CLIENT_MISTAKES, isPlaceOf, withMistake } from './mistakes.ts';

const sourceOf = (file: string) => fileURLToPath(new URL(`../../../client/src/${file}`, import.meta.url));

test.each(CLIENT_MISTAKES)('$name can be put in', (mistake) => {
  const path = sourceOf(mistake.file);
  expect(isPlaceOf(mistake, path)).toBe(true);
  const source = readFileSync(path, 'utf8');
  expect(withMistake(mistake, source)).not.toBe(source);
});

test('a mistake without a place is reported', () => {
  expect(() => withMistake(CLIENT_MISTAKES[0]!, 'another source')).toThrow('it occurs 0 times');
});
