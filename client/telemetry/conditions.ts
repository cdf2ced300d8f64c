// The conditions of concurrency control, which hold for a whole cluster and can be switched while it runs: their schema, and what can be said of
// them without knowing any of them. server-core/src/ground/conditions.def lists them.
import { CONDITIONS, type Condition, type Conditions } from './condition-list.ts';
import { flag, object, oneOf, optional, type Optional, type Schema } from './schema.ts';

export { CONDITIONS, type Condition, type Conditions, type ListedValue } from './condition-list.ts';
export type ConditionName = keyof Conditions;

/** As people write it: "on" for true. */
export const wordOf = (value: string | boolean): string => (typeof value === 'boolean' ? (value ? 'on' : 'off') : value);

export const wordsOf = ({ values }: Condition): string[] => values.map(({ value }) => wordOf(value));

/** In force where a gateway is not told otherwise. */
export const USUAL = Object.freeze(Object.fromEntries(CONDITIONS.map(({ name, usual }) => [name, usual]))) as Readonly<
  Required<Conditions>
>;

/** `otherwise`: the conditions that are not named. */
export const completed = (named: Partial<Conditions>, otherwise: Readonly<Required<Conditions>> = USUAL): Required<Conditions> =>
  Object.fromEntries(CONDITIONS.map(({ name }) => [name, named[name] ?? otherwise[name]])) as unknown as Required<Conditions>;

/** Whether any of the conditions differs. */
export function differ(one: Conditions, other: Conditions): boolean {
  const [a, b] = [completed(one), completed(other)];
  return CONDITIONS.some(({ name }) => a[name] !== b[name]);
}

function schemaOf(condition: Condition): Schema<unknown> {
  const { usual, always, meaning } = condition;
  const absent = always ? '' : `; absent: ${wordOf(usual)}`;
  const values = condition.values.map(({ value, meaning: what }) => `${value} (${what})`);
  const description = `${meaning}${absent}. ${values.join(', ')}`;
  return condition.kind === 'flag' ? flag(description) : oneOf(wordsOf(condition), description);
}

const properties = CONDITIONS.map((condition): [string, Schema<unknown>] => {
  const schema = schemaOf(condition);
  return [condition.name, condition.always ? schema : optional(schema)];
});

type Properties = {
  readonly [N in ConditionName]-?: undefined extends Conditions[N] ? Optional<Required<Conditions>[N]> : Schema<Conditions[N]>;
};
/** Older senders lack those that are not always named. */
export const conditions = object(Object.fromEntries(properties)) as Schema<Conditions> & { readonly properties: Properties };
