// Each mistake has its places in the source. After a change of such a place, the mistake has to be put in another way.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isPlaceOf, withMistake } from './mistake.ts';
import { MISTAKES } from './mistakes.ts';

const pathOf = (file: string) => fileURLToPath(new URL(`../../../${file}`, import.meta.url));

test.each(MISTAKES)('$name can be put in', (mistake) => {
  for (const { file } of mistake.places) {
    const path = pathOf(file);
    expect(isPlaceOf(mistake, path)).toBe(true);
    const source = readFileSync(path, 'utf8');
    expect(withMistake(mistake, path, source)).not.toBe(source);
  }
});

test('a mistake without a place is reported', () => {
  const [first] = MISTAKES;
  expect(() => withMistake(first!, pathOf(first!.places[0]!.file), 'another source')).toThrow('it occurs 0 times');
});
