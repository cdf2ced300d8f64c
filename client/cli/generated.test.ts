import { catalogue } from '@claret/core';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generateCatalogue } from '../scripts/generate-catalogue.ts';
import type { Catalogue } from '../scripts/catalogue.ts';
import { operationSpecs } from '../src/index.ts';
import { OPERATIONS } from './catalogue.ts';

test('the catalogue is up to date with the core', () => {
  const committed = readFileSync(new URL('./generated/catalogue.ts', import.meta.url), 'utf8');
  expect(committed).toBe(generateCatalogue(JSON.parse(catalogue()) as Catalogue));
});

test('the catalogue has the operations of all data types and of records that the client can send, with parameters of the same kinds', () => {
  const known = OPERATIONS.map(({ name, parameters }) => [name, parameters.map(({ kind }) => kind)]);
  expect(known).toEqual([...operationSpecs.values()].map(({ name, parameters }) => [name, [...parameters]]));
});
