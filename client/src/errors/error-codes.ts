// The codes and causes of errors: a shard's, which are generated, and the client's own. docs/errors.md explains each.

import { SHARD_ERROR_CAUSES, SHARD_ERROR_CODES } from './shard-errors.ts';

/** Every code that an error can carry. */
export const ERROR_CODES = [
  ...SHARD_ERROR_CODES,
  'shard_unavailable',
  'gave_up',
  'result_lost',
  'not_write_only',
  'outcome_unknown',
  'transaction_ended',
  'client_closed',
  'called_off',
  'unauthenticated',
  'impure_computation',
  'computation_too_deep',
  'invalid_value',
] as const;

/** Every cause that an error can carry. */
export const ERROR_CAUSES = [...SHARD_ERROR_CAUSES, 'shard_unavailable', 'attempt_lost', 'wrong_type'] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** The code of a refusal by an installed type: "SeatMap.taken". It is never worth a retry. */
export type RefusalCode = `${string}.${string}`;

/** The reason why a transaction could not go on. */
export type ErrorCause = (typeof ERROR_CAUSES)[number];

type Camel<Text extends string> = Text extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Text;

const camel = (text: string): string => text.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Each code by its name in JavaScript: codes.wrongShard. */
export const codes = Object.fromEntries(ERROR_CODES.map((code) => [camel(code), code])) as {
  readonly [Code in ErrorCode as Camel<Code>]: Code;
};
