import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { generateShardErrors } from '../../scripts/generate-errors.ts';
import { ERROR_CAUSES, ERROR_CODES } from './error-codes.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

it('the list of shard errors is up to date with the header of the core', () => {
  expect(read('./shard-errors.ts')).toBe(generateShardErrors(read('../../../server-core/src/ground/errors.h')));
});

it('no code and no cause is listed twice', () => {
  expect(new Set(ERROR_CODES).size).toBe(ERROR_CODES.length);
  expect(new Set(ERROR_CAUSES).size).toBe(ERROR_CAUSES.length);
});
