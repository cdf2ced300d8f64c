import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { reasonWords } from './reasons.ts';

const page = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');
const section = page.split(/^## /m).find((one) => one.startsWith('Broken chains'))!;
const reasons = [...section.matchAll(/^\| `(\w+)`/gm)].map(([, reason]) => reason!);

test('every reason for which a chain breaks has words of its own; one that is unknown is shown as it is', () => {
  expect(reasons.length).toBeGreaterThan(10);
  const words = reasons.map(reasonWords);
  expect(words.filter((one, place) => one === reasons[place]!.replaceAll('_', ' '))).toEqual([]);
  expect(new Set(words).size).toBe(words.length);
  expect(reasonWords('brand_new')).toBe('brand new');
});
