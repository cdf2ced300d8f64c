// Writes client/src/generated/handles.ts, client/src/types/generated/fields.ts for types of an application's own, and
// client/cli/generated/catalogue.ts for the command line, from the core's catalogue, so that the operations of a data type are declared once, in
// its C++ file. It also writes client/src/errors/shard-errors.ts and client/src/values/limits.ts from the core's headers, counters and conditions from their
// lists, and the tables of docs/redis.md and docs/errors.md.
//
//   node client/scripts/generate-handles.ts          writes the files
//   node client/scripts/generate-handles.ts --print  prints the handles

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Catalogue, CatalogueOperation, CatalogueParameter, CatalogueType } from './catalogue.ts';
import { argumentList } from './layout.ts';

const RESULT_TYPES: Record<string, string> = {
  void: 'void',
  boolean: 'boolean',
  integer: 'Integer',
  number: 'number',
  text: 'string',
  scalar: 'Scalar',
  optional: 'Scalar | null',
  texts: 'string[]',
  scalars: '(Scalar | null)[]',
  entries: 'Record<string, Scalar>',
  scored: '[item: string, score: Integer][]',
  ranked: '[item: string, score: number][]',
  ranked_item: '[item: string, score: number] | null',
};

const PARAMETER_TYPES: Record<string, string> = {
  boolean: 'boolean',
  integer: 'Integer',
  number: 'number',
  text: 'string',
  scalar: 'Scalar',
  optional: 'Scalar | null',
  texts: 'string[]',
  scalars: 'Scalar[]',
  entries: 'Record<string, Scalar>',
};

function lookUp(types: Record<string, string>, kind: string, where: string): string {
  const type = types[kind];
  if (type === undefined) throw new Error(`${where} is of a kind that handles do not know: ${kind}`);
  return type;
}

/** A single capital belongs to the word after it: UId, Generator. */
const firstWord = /^[A-Z](?:[A-Z][a-z]*(?=[A-Z]|$))?/;
const lower = (name: string): string => name.replace(firstWord, (word) => word.toLowerCase());
const upper = (name: string): string =>
  lower(name)
    .replace(/([A-Z])/g, '_$1')
    .toUpperCase();
const quoted = (text: string): string => `'${text}'`;

/** A list of texts or scalars at the end is spread; optional ones at the end may be left out. */
function parameterText(parameters: readonly CatalogueParameter[], at: number, where: string): string {
  const parameter = parameters[at]!;
  const type = lookUp(PARAMETER_TYPES, parameter.kind, where);
  const last = at === parameters.length - 1;
  if (last && (parameter.kind === 'texts' || parameter.kind === 'scalars')) return `...${parameter.name}: ${type}`;
  if (parameters.slice(at).every(({ kind }) => kind === 'optional')) return `${parameter.name}: ${type} = null`;
  return `${parameter.name}: ${type}`;
}

function specText(type: CatalogueType, operation: CatalogueOperation): string {
  const parameters = operation.parameters.map((parameter) => quoted(parameter.kind)).join(', ');
  return [
    `const ${upper(type.name)}_${upper(operation.name)}: OperationSpec = {`,
    `  code: ${operation.code},`,
    `  name: '${type.name}.${operation.name}',`,
    `  operationClass: '${operation.class}',`,
    `  result: '${operation.result}',`,
    `  parameters: [${parameters}],`,
    `  mode: ${operation.mode},`,
    '};',
  ].join('\n');
}

function methodText(type: CatalogueType, operation: CatalogueOperation): string {
  const where = `${type.name}.${operation.name}`;
  const { parameters } = operation;
  const signature = parameters.map((_, i) => parameterText(parameters, i, where));
  const result = lookUp(RESULT_TYPES, operation.result, where);
  const doc = [operation.meaning, ...parameters.map((parameter) => `@param ${parameter.name} ${parameter.meaning}`)];
  return [
    '  /**',
    ...doc.map((line) => `   * ${line}`),
    '   */',
    argumentList(`  ${operation.name}(`, signature, `): Operation<${result}> {`, '  '),
    `    return this.#issuer.issue(${upper(type.name)}_${upper(operation.name)}, this.#key, [${parameters.map((p) => p.name).join(', ')}]);`,
    '  }',
  ].join('\n');
}

function classText(type: CatalogueType): string {
  return [
    `/** ${type.meaning} */`,
    `export class ${type.name}Handle {`,
    '  readonly #issuer: Issuer;',
    '  readonly #key: string;',
    '',
    '  constructor(issuer: Issuer, key: string) {',
    '    this.#issuer = issuer;',
    '    this.#key = key;',
    '  }',
    '',
    type.operations.map((operation) => methodText(type, operation)).join('\n\n'),
    '}',
  ].join('\n');
}

function handlesText(types: CatalogueType[]): string {
  return [
    '/** One typed handle for each data type; where the operations go is up to `issue`. */',
    'export abstract class Handles implements Issuer {',
    '  abstract issue<Result>(spec: OperationSpec, key: string, args: readonly unknown[]): Operation<Result>;',
    ...types.map((type) =>
      [
        '',
        `  /** ${type.meaning} */`,
        `  ${lower(type.name)}(key: string): ${type.name}Handle {`,
        `    return new ${type.name}Handle(this, key);`,
        '  }',
      ].join('\n'),
    ),
    '',
    "  /** A record of a type of the application's own (@claret/client/types). */",
    '  of<Operations>(type: OwnType<Operations>, key: string): OwnHandle<Operations> {',
    '    return ownHandle(type, this, key);',
    '  }',
    '}',
  ].join('\n');
}

const isReading = (operation: CatalogueOperation): boolean => operation.class === 'observe';

/** The observing half of the handles, for computations. */
function readingText(types: CatalogueType[]): string {
  const reading = types.filter((type) => type.operations.some(isReading));
  return [
    ...reading.map((type) => {
      const names = type.operations.filter(isReading).map(({ name }) => quoted(name));
      return `export type ${type.name}Reads = Pick<${type.name}Handle, ${names.join(' | ')}>;`;
    }),
    '',
    '/** The observing half of `Handles`. */',
    'export interface ReadingHandles {',
    ...reading.map((type) => `  ${lower(type.name)}(key: string): ${type.name}Reads;`),
    '  of<Operations>(type: OwnType<Operations>, key: string): OwnReads<Operations>;',
    '}',
  ].join('\n');
}

/** The text of handles.ts. */
export function generateHandles(catalogue: Catalogue): string {
  const types = [...catalogue.types, catalogue.record];
  const operations = types.flatMap((type) => type.operations.map((operation) => ({ type, operation })));
  const text = types.map((type) => [...type.operations.map((operation) => specText(type, operation)), classText(type)].join('\n\n'));
  const usesInteger = operations.some(({ operation }) =>
    [operation.result, ...operation.parameters.map((p) => p.kind)].some((kind) => kind === 'integer' || kind === 'scored'),
  );
  const usesScalar = operations.some(({ operation }) =>
    [operation.result, ...operation.parameters.map((p) => p.kind)].some((kind) =>
      ['scalar', 'optional', 'scalars', 'entries'].includes(kind),
    ),
  );
  const values = [usesInteger && 'Integer', usesScalar && 'Scalar'].filter(Boolean).join(', ');
  return [
    "// GENERATED by client/scripts/generate-handles.ts from the core's catalogue. Do not edit: change the type's C++ file.",
    '',
    "import type { Issuer } from '../operation/issuer.ts';",
    "import type { Operation } from '../operation/operation.ts';",
    "import { ownHandle, type OwnHandle, type OwnReads, type OwnType } from '../operation/own-type.ts';",
    "import type { OperationSpec } from '../values/operation-spec.ts';",
    ...(values === '' ? [] : [`import type { ${values} } from '../values/values.ts';`]),
    '',
    text.join('\n\n'),
    '',
    handlesText(types),
    '',
    readingText(types),
    '',
    '/** Every operation by its name: "Set.add". */',
    'export const operationSpecs: ReadonlyMap<string, OperationSpec> = new Map(',
    `  [\n${operations.map(({ type, operation }) => `    ${upper(type.name)}_${upper(operation.name)},`).join('\n')}\n  ].map((spec) => [spec.name, spec]),`,
    ');',
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { catalogue } = await import('@claret/core');
  const { generateCatalogue } = await import('./generate-catalogue.ts');
  const { generateConditions, generateConditionTypes } = await import('./generate-conditions.ts');
  const { generateShardErrors } = await import('./generate-errors.ts');
  const { withErrors } = await import('./generate-errors-page.ts');
  const { generateFields } = await import('./generate-fields.ts');
  const { generateLimits } = await import('./generate-limits.ts');
  const { generateTotals, generateTotalsTypes } = await import('./generate-totals.ts');
  const { withCommands } = await import('./generate-redis-page.ts');
  const described = JSON.parse(catalogue()) as Catalogue;
  if (process.argv.includes('--print')) process.stdout.write(generateHandles(described));
  else {
    writeFileSync(new URL('../src/generated/handles.ts', import.meta.url), generateHandles(described));
    writeFileSync(new URL('../cli/generated/catalogue.ts', import.meta.url), generateCatalogue(described));
    writeFileSync(new URL('../src/types/generated/fields.ts', import.meta.url), generateFields(described));
    const header = (path: string) => readFileSync(new URL(`../../server-core/src/${path}`, import.meta.url), 'utf8');
    writeFileSync(new URL('../src/errors/shard-errors.ts', import.meta.url), generateShardErrors(header('ground/errors.h')));
    writeFileSync(new URL('../src/values/limits.ts', import.meta.url), generateLimits([header('wire/limits.h'), header('adt/check.h')]));
    const counters = header('counters/counters.def');
    writeFileSync(new URL('../telemetry/totals.ts', import.meta.url), generateTotals(counters));
    writeFileSync(new URL('../../server-core/totals.d.ts', import.meta.url), generateTotalsTypes(counters));
    const conditions = header('ground/conditions.def');
    writeFileSync(new URL('../telemetry/condition-list.ts', import.meta.url), generateConditions(conditions));
    writeFileSync(new URL('../../server-core/conditions.d.ts', import.meta.url), generateConditionTypes(conditions));
    const rewrite = (name: string, change: (page: string) => string) => {
      const page = new URL(`../../docs/${name}`, import.meta.url);
      writeFileSync(page, change(readFileSync(page, 'utf8')));
    };
    rewrite('redis.md', (page) => withCommands(page, described));
    rewrite('errors.md', withErrors);
  }
}
