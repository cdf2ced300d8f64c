import { catalogue } from '@claret/core';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Catalogue } from '../../../scripts/catalogue.ts';
import { generateFields } from '../../../scripts/generate-fields.ts';

it('the types of fields are up to date with the core', () => {
  const committed = readFileSync(new URL('./fields.ts', import.meta.url), 'utf8');
  expect(committed).toBe(generateFields(JSON.parse(catalogue()) as Catalogue));
});

it('a field is of any built-in type but the one whose operations both answer and change', async () => {
  const { types } = JSON.parse(catalogue()) as Catalogue;
  const fields = Object.values(await import('./fields.ts')).map(({ name }) => name);
  expect(types.map(({ name }) => name).filter((name) => !fields.includes(name))).toEqual(['UIdGenerator']);
});
