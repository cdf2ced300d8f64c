// Schemas that several routes share. Types follow from them (Static); they are never written twice.
import Type from 'typebox';
import type { TOptional, TSchema, TUnsafe } from 'typebox';
import { catalogued } from './documentation.ts';
import { CONDITIONS, conditions, type ConditionName, type Conditions, type Schema } from '@claret/client/telemetry';
import { ProblemSchema } from './problem.ts';

export const OperationSchema = Type.Object(
  {
    key: Type.String({ description: 'key of the record, 1 byte to 1 KiB; a part in braces decides the shard', examples: ['account:ann'] }),
    type: Type.String({ description: 'data type; case does not matter', examples: ['BoundedCounter'], ...catalogued('type') }),
    operation: Type.String({ description: 'operation of that type', examples: ['increment'], ...catalogued('operation') }),
    arguments: Type.Optional(
      Type.Array(Type.Unknown(), {
        default: [],
        description: 'in order; integers beyond 2^53 - 1 as strings, fields of a Dict as an object',
        examples: [[100]],
      }),
    ),
  },
  { additionalProperties: false },
);

export const LabelSchema = Type.String({
  description: 'name of this kind of transaction, by which statistics are kept; up to 64 bytes',
  examples: ['Transfer'],
});

export const OperationsSchema = Type.Array(OperationSchema, { minItems: 1, description: '1 to 4,096 operations, in order' });

export const ResultsSchema = Type.Array(Type.Unknown(), { description: 'one per operation; null where it has no result' });

export const CommittedSchema = Type.Object({
  results: ResultsSchema,
  committed_at: Type.String({ description: 'commit timestamp, a 64-bit integer' }),
  retries: Type.Integer({ description: 'attempts that failed before this one' }),
});

export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description: 'makes the request safe to send again, to any gateway: it commits once. 1 to 255 visible characters, best in quotes',
    }),
  ),
});

/** A schema of the client's telemetry, as routes take it. */
export const typed = <T>(schema: Schema<T>) => Type.Unsafe<T>(schema);

type ConditionSchemas = { [Name in ConditionName]-?: TUnsafe<Required<Conditions>[Name]> };
type WantedSchemas = {
  [Name in ConditionName]-?: undefined extends Conditions[Name] ? TOptional<ConditionSchemas[Name]> : ConditionSchemas[Name];
};
const all = Object.fromEntries(CONDITIONS.map(({ name }) => [name, typed(conditions.properties[name] as Schema<unknown>)]));
const wanted = CONDITIONS.map(({ name, always }) => [name, always ? all[name]! : Type.Optional(all[name]!)]);

export const ConditionsSchema = Type.Object(all as unknown as ConditionSchemas, { additionalProperties: false });

/** Conditions to be set. A condition that messages need not name stays as it is if it is left out. */
export const WantedConditionsSchema = Type.Object(Object.fromEntries(wanted) as WantedSchemas, { additionalProperties: false });

/** A request body that the documentation offers, ready to be sent. Named by what it does. */
export type Examples = Record<string, { summary: string; value: unknown }>;

/** Goes into the options of a body's schema. */
export const tryOut = (examples: Examples) => ({ 'x-examples': examples });

const problem = { description: 'An error', content: { 'application/problem+json': { schema: ProblemSchema } } };

const problems = { '4xx': problem, '5xx': problem };

/** `ok` under its status, with what it means and, unless it says enough itself, an example; problem documents for everything else. */
export function responses<S extends number, T extends TSchema>(
  status: S,
  meaning: string,
  ok: T,
  example?: unknown,
): Record<S, T> & typeof problems {
  const shown = { ...ok, description: meaning, ...(example === undefined ? {} : { examples: [example] }) };
  return { [status]: shown, ...problems } as Record<S, T> & typeof problems;
}
