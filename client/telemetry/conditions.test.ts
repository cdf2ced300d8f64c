import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generateConditions, generateConditionTypes } from '../scripts/generate-conditions.ts';
import { CONDITIONS, USUAL, completed, conditions, differ, wordOf } from './conditions.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const DEFINITION = read('../../server-core/src/ground/conditions.def');

test('the generated files are up to date with the core', () => {
  expect(read('./condition-list.ts')).toBe(generateConditions(DEFINITION));
  expect(read('../../server-core/conditions.d.ts')).toBe(generateConditionTypes(DEFINITION));
});

test('one line more is one value more', () => {
  const more = DEFINITION.replace(
    /(CHOICE\(warranties[\s\S]*?)END_CHOICE/,
    '$1  VALUE(kNight, "night", "At night", "warranties at night", "answers come, \\"late\\"")\nEND_CHOICE',
  );
  expect(generateConditionTypes(more)).toContain(" | 'night';\n");
  expect(generateConditions(more)).toMatch(
    /value: 'night',\s+label: 'At night',\s+short: 'warranties at night',\s+meaning: 'answers come, "late"'/,
  );
});

test('the contract of the wire has each of them under its number', () => {
  const [, message] = /^message Conditions \{([^}]*)\}/m.exec(read('../proto/claret.proto'))!;
  const TYPES = { choice: 'string', flag: 'bool' };
  const fields = [...message!.matchAll(/^ {2}([\w ]+) (\w+) = (\d+);/gm)].map(([, type, name, field]) => `${type} ${name} = ${field}`);
  const expected = CONDITIONS.map(({ kind, name, field }) => `${TYPES[kind]} ${name} = ${field}`);
  expect(fields.toSorted()).toEqual([...expected, 'uint64 version = 4'].toSorted());
});

test('the documentation explains each of them and each of their values', () => {
  const pages = ['../../docs/rules.md', '../../docs/glossary.md'].map(read).join('\n');
  const marked = [...pages.matchAll(/`([^`\n]+)`/g)].map(([, text]) => text!);
  const words = (name: string) => marked.flatMap((text) => (text.startsWith(`${name}: `) ? text.slice(name.length + 2).split(', ') : []));
  for (const condition of CONDITIONS) {
    expect(
      marked.some((text) => text === condition.name || text.startsWith(`${condition.name}: `)),
      condition.name,
    ).toBe(true);
    if (condition.kind !== 'choice') continue;
    expect(words(condition.name)).toEqual(expect.arrayContaining(condition.values.map(({ value }) => wordOf(value))));
  }
});

test('what is not named is usual, or as it was', () => {
  const { locks, phasing, combining } = USUAL;
  expect(completed({ locks, phasing, combining })).toEqual(USUAL);
  expect(completed({ locks: 'rw', warranties: 'off' }, { ...USUAL, warranties: 'auto' })).toEqual({ ...USUAL, locks: 'rw' });
  expect(completed({ locks: 'rw' }, { ...USUAL, warranties: 'auto' })).toEqual({ ...USUAL, locks: 'rw', warranties: 'auto' });
  expect(differ({ locks, phasing, combining }, USUAL)).toBe(false);
  for (const condition of CONDITIONS) {
    const other = condition.values.find(({ value }) => value !== condition.usual)!.value;
    expect(differ({ ...USUAL, [condition.name]: other }, USUAL), condition.name).toBe(true);
  }
});

test('their schema requires those that are always named', () => {
  expect(conditions.required).toEqual(CONDITIONS.filter(({ always }) => always).map(({ name }) => name));
});
