// Schemas that several routes share. Types follow from them (Static); they are never written twice.
import Type from 'typebox';
import type { TSchema } from 'typebox';
import { ProblemSchema } from './problem.ts';

export const OperationSchema = Type.Object(
  {
    key: Type.String({ description: 'the record, 1 byte to 1 KiB; a {tag} within decides the shard' }),
    type: Type.String({ description: 'data type, in any case: "set", "counter", …' }),
    operation: Type.String({ description: '"add", "size", …' }),
    arguments: Type.Optional(
      Type.Array(Type.Unknown(), { default: [], description: 'in order; integers beyond 2^53 - 1 as strings, fields as an object' }),
    ),
  },
  { additionalProperties: false },
);

export const LabelSchema = Type.String({
  description: "names the transaction's type, for operators and the conflict table; up to 64 bytes",
});

export const OperationsSchema = Type.Array(OperationSchema, { minItems: 1 });

export const ResultsSchema = Type.Array(Type.Unknown(), { description: 'one for each operation, null for those without a result' });

export const CommittedSchema = Type.Object({
  results: ResultsSchema,
  committed_at: Type.String({ description: 'commit timestamp, a 64-bit integer' }),
  retries: Type.Integer({ description: 'attempts that failed before this one' }),
});

export const ConditionsSchema = Type.Object(
  {
    locks: Type.Enum(['none', 'rw', 'abstract'], {
      description: 'none: operations run at once, not as a transaction; rw: reader/writer locks; abstract: by commutativity',
    }),
    phasing: Type.Boolean({ description: 'queue by mode; without it a conflicting operation is denied at once' }),
    combining: Type.Enum(['auto', 'on', 'off'], { description: 'what app servers may combine' }),
  },
  { additionalProperties: false },
);

const problem = { description: 'An error', content: { 'application/problem+json': { schema: ProblemSchema } } };

const problems = { '4xx': problem, '5xx': problem };

/** `ok` under its status, and problem documents for everything else. */
export function responses<S extends number, T extends TSchema>(status: S, ok: T): Record<S, T> & typeof problems {
  return { [status]: ok, ...problems } as Record<S, T> & typeof problems;
}
