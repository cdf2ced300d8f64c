// Migrations: how the records of an earlier version come to the fields of a later one. Each record is migrated when it is first touched.

import type { MigrationDefinition } from './definition.ts';
import { NODES_MAX, type Expression } from './expression.ts';
import type { Change } from './field-type.ts';
import { membersOf } from './names.ts';
import { invalid, within } from './problem.ts';
import { Trace } from './trace.ts';
import { changesIn, fieldsIn, type Fields } from './trace-operation.ts';

const MIGRATIONS_MAX = 16;

/** @param given functions by the versions to which they lead */
export function migrationsOf(type: string, version: number, given: unknown, fields: Fields): MigrationDefinition[] {
  const migrations = membersOf(given, 'migrations', MIGRATIONS_MAX).map(([name, body]) => ({ to: Number(name), body }));
  for (const { to, body } of migrations) {
    if (!Number.isInteger(to) || to < 2 || to > version) throw invalid(`a migration leads to a version from 2 to ${version}`);
    if (typeof body !== 'function') throw invalid(`the migration to version ${to} is no function`);
  }
  return migrations
    .toSorted((one, other) => one.to - other.to)
    .map(({ to, body }) =>
      within(`the migration to version ${to}`, () => {
        const writes = () => writesOf(`${type}, the migration to version ${to}`, body as (fields: object) => unknown, fields);
        const once = writes();
        if (JSON.stringify(once) !== JSON.stringify(writes())) throw invalid('it returns something else when it runs again');
        return { to, writes: once };
      }),
    );
}

function writesOf(where: string, body: (fields: object) => unknown, fields: Fields): MigrationDefinition['writes'] {
  const trace = new Trace(where, 'migration');
  let nodes = 0;
  const jsonOf = (expression: Expression) => {
    nodes += expression.nodes;
    if (nodes > NODES_MAX) throw invalid(`it has more than ${NODES_MAX} nodes; a value that is used twice counts twice`);
    return expression.json;
  };
  const writeOf = ({ over, field, key, operation, args, condition }: Change) => ({
    field,
    key: key === null ? null : jsonOf(key),
    operation,
    arguments: args.map(jsonOf),
    when: condition === null ? null : jsonOf(condition),
    over: over === null ? null : [over.local.number, jsonOf(over.list)],
  });
  return trace.run(() => changesIn(body(fieldsIn(fields, trace)), trace).map(writeOf));
}
