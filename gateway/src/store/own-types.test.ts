// What may follow an installed version of a type, as a real shard judges it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GatewayError } from '../errors.ts';
import { SEAT_MAP } from '../testing/definitions.ts';
import { Catalogue } from '../transaction/catalogue.ts';
import { OwnTypes } from './own-types.ts';
import { ShardHost } from './shard-host.ts';

interface Definition {
  version: number;
  fields: { name: string; type: string; each: boolean }[];
  operations: {
    name: string;
    meaning: string;
    parameters: { name: string; kind: string; meaning: string }[];
    result: string;
    require: { that: unknown; code: string; message: string }[];
    answer: unknown;
    writes: unknown[];
  }[];
  commutes: object[];
}

/** With fields that no operation uses. */
function firstVersion(): string {
  const definition = JSON.parse(SEAT_MAP) as Definition;
  definition.version = 2;
  for (const name of ['spare', 'spare2']) definition.fields.push({ name, type: 'Counter', each: false });
  return JSON.stringify(definition);
}

let host: ShardHost;
let own: OwnTypes;
let catalogue: Catalogue;
beforeAll(async () => {
  host = new ShardHost({
    shard: 0,
    shards: 1,
    incarnation: 5,
    sessionLeaseMs: 60_000,
    phaseCapMs: 20,
    woundDelayMs: 20,
    woundGraceMs: 50,
    idleMs: 1_000,
    frameBytesMax: 65_536,
    outputBytesMax: 1_048_576,
    pollMicroseconds: 0,
    conditions: { locks: 'abstract', phasing: true, combining: 'auto' },
  });
  catalogue = new Catalogue(host.types.catalogue());
  own = new OwnTypes(host.types, catalogue);
  await own.change({ id: 128, retired: false, definition: firstVersion() });
});
afterAll(() => host.close());

const operationsOf = () => catalogue.types.find(({ name }) => name === 'SeatMap')!.operations.map(({ name }) => name);

/** Changes the type to what `change` makes of the version that is installed. Resolves with the refusal, if it is refused. */
async function later(change: (definition: Definition) => void): Promise<string> {
  const definition = JSON.parse(own.withId(128)!.definition) as Definition;
  definition.version++;
  change(definition);
  try {
    const { types, done } = await own.change({ id: 128, retired: false, definition: JSON.stringify(definition) });
    expect([types[0]!.version, done]).toEqual([definition.version, true]);
    return 'installed';
  } catch (error) {
    expect(error).toMatchObject({ code: 'type_conflict' });
    return (error as GatewayError).message;
  }
}

const open = ({ operations }: Definition) => operations.find(({ name }) => name === 'open')!;
const FIELDS = 'keeps the fields of the earlier one';
const OPERATIONS = 'keeps the operations of the earlier one';

test.each<[string, string, (definition: Definition) => void]>([
  ['an earlier version', 'has to be later', (definition) => (definition.version -= 2)],
  [
    'another definition of the same version',
    'has to be later',
    (definition) => ((definition.version -= 1), (open(definition).meaning = 'x')),
  ],
  ['another name', 'has the id 128 already', (definition) => Object.assign(definition, { name: 'Hall' })],
  ['a field of another name', FIELDS, ({ fields }) => (fields[2]!.name = 'other')],
  ['a field of another type', FIELDS, ({ fields }) => (fields[2]!.type = 'Set')],
  ['a field that is a map now', FIELDS, ({ fields }) => (fields[2]!.each = true)],
  ['no longer a field', FIELDS, ({ fields }) => fields.pop()],
  ['fields in another order', FIELDS, ({ fields }) => fields.push(fields.splice(2, 1)[0]!)],
  ['another field between', FIELDS, ({ fields }) => fields.splice(2, 0, { name: 'first', type: 'Counter', each: false })],
  ['an operation of another name', OPERATIONS, (definition) => (open(definition).name = 'begin')],
  ['no longer an operation', OPERATIONS, ({ operations }) => operations.pop()],
  ['operations in another order', OPERATIONS, ({ operations }) => operations.reverse()],
  ['another operation in front', OPERATIONS, ({ operations }) => operations.unshift({ ...operations[0]!, name: 'first' })],
  ['a parameter of another kind', OPERATIONS, (definition) => (open(definition).parameters[1]!.kind = 'number')],
  [
    'a parameter more',
    OPERATIONS,
    (definition) => open(definition).parameters.push({ name: 'more', kind: 'text', meaning: 'not there before' }),
  ],
  [
    'another result',
    OPERATIONS,
    ({ operations }) =>
      Object.assign(
        operations.find(({ name }) => name === 'left')!,
        { result: 'boolean', answer: true },
      ),
  ],
])('a version with %s is refused', async (_what, words, change) => {
  const before = own.list();
  expect(await later(change)).toContain(words);
  expect(own.list()).toEqual(before);
});

test('a version may have more operations and fields behind, and say the same ones otherwise', async () => {
  const names = operationsOf();
  const more = (definition: Definition) => {
    const { fields, operations } = definition;
    fields.push({ name: 'opened', type: 'Counter', each: false });
    const write = { field: fields.length - 1, key: null, operation: 'add', arguments: [1], when: null };
    const parameters = operations[0]!.parameters.map((parameter) => ({ ...parameter, name: `${parameter.name}2`, meaning: 'as before' }));
    operations[0] = { ...operations[0]!, parameters, meaning: 'Opens, and counts that.', writes: [...operations[0]!.writes, write] };
    operations[1]!.require.push({ that: true, code: 'never', message: 'it is never refused' });
    const answer = ['read', fields.length - 1, null, 'value'];
    operations.push({ name: 'opened', meaning: 'How often.', parameters: [], result: 'integer', require: [], answer, writes: [] });
    definition.commutes = [{ first: operations[0]!.name, second: operations[0]!.name, when: true }];
  };
  expect(await later(more)).toBe('installed');
  expect(operationsOf()).toEqual([...names, 'opened']);
  expect(await later(({ operations }) => operations.splice(-1))).toContain(OPERATIONS);
});

test('a retired version is followed by a later one', async () => {
  await own.change({ ...own.withId(128)!, retired: true });
  expect(catalogue.types.some(({ name }) => name === 'SeatMap')).toBe(false);
  expect(await later(() => {})).toBe('installed');
  expect(own.list().types).toMatchObject([{ name: 'SeatMap', retired: false }]);
});
