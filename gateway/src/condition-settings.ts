// The conditions as settings of a gateway: those that its shard starts with.
import Type, { type TUnsafe } from 'typebox';
import { CONDITIONS, wordsOf, type Condition, type ConditionName, type Conditions } from '@claret/client/telemetry';

function schemaOf(condition: Condition) {
  const common = { default: condition.usual, description: `${condition.meaning}, at start` };
  return condition.kind === 'flag' ? Type.Boolean(common) : Type.Enum(wordsOf(condition), common);
}

export const CONDITION_SETTINGS = Object.fromEntries(CONDITIONS.map((each) => [each.name, schemaOf(each)])) as unknown as {
  [Name in ConditionName]-?: TUnsafe<Required<Conditions>[Name]>;
};

/** Those among all settings of a gateway. */
export const configured = (settings: Required<Conditions>): Required<Conditions> =>
  Object.fromEntries(CONDITIONS.map(({ name }) => [name, settings[name]])) as unknown as Required<Conditions>;
