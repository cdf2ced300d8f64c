import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { generateLimits } from '../../scripts/generate-limits.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const header = (path: string) => read(`../../../server-core/src/${path}`);

it('the limits are up to date with the headers of the core', () => {
  expect(read('./limits.ts')).toBe(generateLimits([header('wire/limits.h'), header('adt/check.h')]));
});
