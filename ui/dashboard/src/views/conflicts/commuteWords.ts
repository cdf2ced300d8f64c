// Whether two operations commute according to the cluster's catalogue, in words.
import { ruleOf, type DataType, type Ruling } from '../../types/catalogue.ts';

export interface PairRule {
  ruling: Ruling;
  when: string;
  /** the name of the type */
  type: string;
}

/** Operations are named as in telemetry: `TopK.add`. Null if the catalogue does not know them. */
export function ruleOfPair(types: readonly DataType[], holding: string, coming: string): PairRule | null {
  const [typeName, first] = parts(holding);
  const [otherType, second] = parts(coming);
  const type = types.find(({ name }) => name === typeName);
  const [one, other] = [first, second].map((name) => type?.operations.find((operation) => operation.name === name));
  if (type === undefined || typeName !== otherType || one === undefined || other === undefined) return null;
  const { ruling, when } = ruleOf(type, one, other);
  return { ruling, when, type: type.name };
}

/** A dash if the catalogue does not know them. */
export function commuteWords(types: readonly DataType[], holding: string, coming: string): string {
  const rule = ruleOfPair(types, holding, coming);
  return rule === null ? '–' : WORDS[rule.ruling](rule.when);
}

const WORDS: Record<Ruling, (when: string) => string> = {
  always: () => 'yes, always',
  depends: (when) => `yes, if: ${when}`,
  summed: (when) => `within bounds: ${when}`,
  never: () => 'no: their order matters',
};

function parts(operation: string): [string, string] {
  const dot = operation.lastIndexOf('.');
  return [operation.slice(0, Math.max(0, dot)), operation.slice(dot + 1)];
}
