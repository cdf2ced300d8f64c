import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generateTotals, generateTotalsTypes } from '../scripts/generate-totals.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const DEFINITION = read('../../server-core/src/counters/counters.def');

test('the generated files are up to date with the core', () => {
  expect(read('./totals.ts')).toBe(generateTotals(DEFINITION));
  expect(read('../../server-core/totals.d.ts')).toBe(generateTotalsTypes(DEFINITION));
});

test('one line more is one counter more', () => {
  const more = `${DEFINITION}TIME(nap_ms, true, "time asleep")\n`;
  expect(generateTotals(more)).toContain("{ name: 'napMs', kind: 'time', inFrames: true, meaning: 'time asleep' },");
  expect(generateTotalsTypes(more)).toContain('  /** time asleep */\n  napMs: number;\n');
});
