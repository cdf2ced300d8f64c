// A small vocabulary of JSON schemas, each of which carries the TypeScript type of its values. Types, the OpenAPI document and the
// check of incoming messages are derived from one schema, so that each field is declared once.
//
// Built here rather than with TypeBox, because the dashboard downloads it (docs/decisions/0012-what-a-shard-tells.md).

declare const TYPE: unique symbol;

/** A JSON schema (2020-12) of values of type T. */
export interface Schema<T> {
  readonly [TYPE]?: T;
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema<unknown>>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema<unknown>;
  readonly items?: Schema<unknown>;
  readonly prefixItems?: readonly Schema<unknown>[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema<unknown>[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
}

export type TypeOf<S> = S extends Schema<infer T> ? T : never;

/** A member that may be absent. */
export interface Optional<T> extends Schema<T> {
  readonly optional: () => true;
}
type Fields = Readonly<Record<string, Schema<unknown>>>;
type OptionalNames<F> = { [K in keyof F]: F[K] extends Optional<unknown> ? K : never }[keyof F];
type Flat<T> = { [K in keyof T]: T[K] };
type ObjectOf<F> = Flat<
  { -readonly [K in Exclude<keyof F, OptionalNames<F>>]: TypeOf<F[K]> } & { -readonly [K in OptionalNames<F>]?: TypeOf<F[K]> }
>;

type More = Pick<Schema<unknown>, 'minimum' | 'maximum' | 'default'>;
const described = (description: string | undefined) => (description === undefined ? {} : { description });

export const text = (description?: string): Schema<string> => ({ type: 'string', ...described(description) });
export const flag = (description?: string): Schema<boolean> => ({ type: 'boolean', ...described(description) });
/** Any JSON value. */
export const anything = (): Schema<unknown> => ({});
/** Any finite number. */
export const number = (description?: string): Schema<number> => ({ type: 'number', ...described(description) });
/** A number that is not negative, such as a length of time. */
export const amount = (description?: string, more: More = {}): Schema<number> => ({
  type: 'number',
  minimum: 0,
  ...described(description),
  ...more,
});
export const count = (description?: string, more: More = {}): Schema<number> => ({
  type: 'integer',
  minimum: 0,
  ...described(description),
  ...more,
});

export const oneOf = <const Words extends readonly string[]>(words: Words, description?: string): Schema<Words[number]> => ({
  enum: words,
  ...described(description),
});

export const list = <T>(items: Schema<T>, description?: string): Schema<T[]> => ({ type: 'array', items, ...described(description) });

export const pair = <A, B>(first: Schema<A>, second: Schema<B>, description?: string): Schema<[A, B]> => ({
  type: 'array',
  prefixItems: [first, second],
  ...described(description),
});

/** Any names, with values of one type. */
export const map = <T>(values: Schema<T>, description?: string): Schema<Record<string, T>> => ({
  type: 'object',
  additionalProperties: values,
  ...described(description),
});

export const either = <const S extends readonly Schema<unknown>[]>(...schemas: S): Schema<TypeOf<S[number]>> => ({ anyOf: schemas });

export const orNull = <T>(schema: Schema<T>, description?: string): Schema<T | null> => ({
  anyOf: [schema, { type: 'null' }],
  ...described(description),
});

const OPTIONAL = { value: () => true };

/** Marks a member of an object that may be absent. */
export const optional = <T>(schema: Schema<T>): Optional<T> =>
  Object.defineProperty({ ...schema }, 'optional', OPTIONAL) as Schema<T> as Optional<T>;

/** A member that older senders lack: `value` takes its place. */
export const withDefault = <T>(schema: Schema<T>, value: T): Schema<T> => ({ ...schema, default: value });

/** An object with these members, and possibly others that a newer sender adds. */
export function object<const F extends Fields>(properties: F, description?: string): Schema<ObjectOf<F>> & { readonly properties: F } {
  const required = Object.keys(properties).filter((name) => !('optional' in properties[name]!));
  return { type: 'object', properties, required, ...described(description) };
}
