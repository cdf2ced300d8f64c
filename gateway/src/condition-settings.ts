// The conditions as settings of a gateway: those that its shard starts with.
import Type, { type TUnsafe } from 'typebox';
import { CONDITIONS, wordsOf, type Condition, type ConditionName, type Conditions } from '@claret/client/telemetry';

type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<Rest>}` : Name;
type Settings = { [Name in ConditionName as Camel<Name>]: Required<Conditions>[Name] };

/** epoch_ms → epochMs, as settings and messages of the gRPC loader are spelled */
export const camel = (name: ConditionName): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

function schemaOf(condition: Condition) {
  const common = { default: condition.usual, description: `${condition.meaning}, at start` };
  if (condition.kind === 'number') return Type.Integer({ ...common, minimum: 0, maximum: condition.most });
  return condition.kind === 'flag' ? Type.Boolean(common) : Type.Enum(wordsOf(condition), common);
}

export const CONDITION_SETTINGS = Object.fromEntries(CONDITIONS.map((each) => [camel(each.name), schemaOf(each)])) as unknown as {
  [Name in keyof Settings]: TUnsafe<Settings[Name]>;
};

export const configured = (settings: Settings): Required<Conditions> =>
  Object.fromEntries(CONDITIONS.map(({ name }) => [name, settings[camel(name) as keyof Settings]])) as unknown as Required<Conditions>;
