// Schemas that several routes share. Types follow from them (Static); they are never written twice.
import Type from 'typebox';
import type { TSchema } from 'typebox';
import { catalogued } from './documentation.ts';
import { conditions, type Schema } from '@claret/client/telemetry';
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

const { locks, phasing, combining, natives, warranties, epochs, epoch_ms } = conditions.properties;

export const ConditionsSchema = Type.Object(
  {
    locks: typed(locks),
    phasing: typed(phasing),
    combining: typed(combining),
    natives: typed(natives),
    warranties: typed(warranties),
    epochs: typed(epochs),
    epoch_ms: typed(epoch_ms),
  },
  { additionalProperties: false },
);

/** Conditions to be set: only locks, phasing and combining have to be named, others stay as they are. */
export const WantedConditionsSchema = Type.Object(
  {
    ...ConditionsSchema.properties,
    natives: Type.Optional(ConditionsSchema.properties.natives),
    warranties: Type.Optional(ConditionsSchema.properties.warranties),
    epochs: Type.Optional(ConditionsSchema.properties.epochs),
    epoch_ms: Type.Optional(ConditionsSchema.properties.epoch_ms),
  },
  { additionalProperties: false },
);

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
