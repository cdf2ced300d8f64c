import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nextIncarnation } from './incarnation.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'claret-incarnation-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

test('the first incarnation is the wall clock in seconds', () => {
  expect(nextIncarnation(join(dir, 'not', 'there', 'yet'), 1_700_000_000_999)).toBe(1_700_000_000);
});

test('two starts within one second still differ', () => {
  expect(nextIncarnation(dir, 1_700_000_000_000)).toBe(1_700_000_000);
  expect(nextIncarnation(dir, 1_700_000_000_500)).toBe(1_700_000_001);
});

test('the incarnation grows even if the clock was set back', () => {
  nextIncarnation(dir, 1_700_000_000_000);
  expect(nextIncarnation(dir, 5_000)).toBe(1_700_000_001);
});

test('a damaged file is an error, not a fresh start', () => {
  writeFileSync(join(dir, 'incarnation'), 'seventeen');
  expect(() => nextIncarnation(dir, 1_700_000_000_000)).toThrow(/should hold a number/);
});
