import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ERROR_CAUSES, ERROR_CODES } from '@claret/client';
import { withErrors } from '../../client/scripts/generate-errors-page.ts';
import { ERRORS } from './errors.ts';
import type { ErrorRow } from './errors.ts';
import { BREAK_REASONS, STAND_BACK_REASONS } from './metrics/reasons.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const table = ERRORS as Record<string, ErrorRow>;

const [codesOfCore, causesOfCore] = read('../../server-core/src/ground/errors.h').split('namespace causes {') as [string, string];

test("every code of a shard is in the client's list, and every code of that list in the gateway's table", () => {
  const core = [...codesOfCore.matchAll(/std::string_view k\w+ = "(\w+)";/g)].map((match) => match[1]!);
  expect(core.length).toBeGreaterThan(20);
  expect(core.filter((code) => !(ERROR_CODES as readonly string[]).includes(code))).toEqual([]);
  expect(ERROR_CODES.filter((code) => !(code in table))).toEqual([]);
});

test("every cause that a shard can give is in the client's list", () => {
  const core = [...causesOfCore.matchAll(/std::string_view k(\w+) = (?:"(\w+)"|errors::k\w+);/g)].map(
    ([, name, text]) => text ?? name!.replaceAll(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase(),
  );
  expect(core.length).toBeGreaterThan(7);
  expect(core.filter((cause) => !(ERROR_CAUSES as readonly string[]).includes(cause))).toEqual([]);
});

const rowsUnder = (heading: string) =>
  read('../../docs/errors.md')
    .split(/^## /m)
    .find((section) => section.startsWith(heading))!
    .split('\n')
    .filter((line) => line.startsWith('| `'));

test('the core and the table agree which codes are worth a retry', () => {
  const [lasting, temporary] = codesOfCore
    .split('// A temporary condition')
    .map((text) => [...text.matchAll(/ = "(\w+)";/g)].map(([, code]) => code!));
  expect(lasting!.filter((code) => table[code]!.retryable)).toEqual([]);
  expect(temporary!.filter((code) => !table[code]!.retryable)).toEqual([]);
});

test('the tables of docs/errors.md are up to date', () => {
  const page = read('../../docs/errors.md');
  expect(page).toBe(withErrors(page));
  expect(withErrors(page.replace('| `wounded` ', '| `wound` '))).toBe(page);
});

test('docs/errors.md lists exactly the reasons for which chains break in the core, and batches stand back', () => {
  const core = read('../../server-core/src/counters/counters.h').split(/namespace reasons \{|\}  \/\/ namespace reasons/)[1]!;
  const inCore = [...core.matchAll(/std::string_view k(\w+) = /g)].map(([, name]) =>
    name!.replaceAll(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase(),
  );
  const documented = rowsUnder('Broken chains').map((row) => row.split(' | ').map((cell) => cell.replaceAll(/[|` ]/g, '')));
  const reasonsOf = (what: string) => documented.filter(([, of]) => of!.split(',').includes(what)).map(([reason]) => reason!);
  expect(documented.map(([reason]) => reason!).toSorted()).toEqual(inCore.toSorted());
  expect(reasonsOf('chains')).toEqual(BREAK_REASONS);
  expect(reasonsOf('batches')).toEqual(STAND_BACK_REASONS);
});

test('all codes have the same spelling, and no retryable one has status 400', () => {
  for (const [code, row] of Object.entries(table)) {
    expect(code).toMatch(/^[a-z][a-z0-9_]+$/);
    if (row.retryable) expect([code, row.http]).not.toEqual([code, 400]);
  }
});
