// Whether two operations commute according to the cluster's catalogue, in words.
import { ruleOf, type DataType, type Ruling } from '../../types/catalogue.ts';

/** Operations are named as in telemetry: `TopK.add`. A dash if the catalogue does not know them. */
export function commuteWords(types: readonly DataType[], holding: string, coming: string): string {
  const [typeName, first] = parts(holding);
  const [otherType, second] = parts(coming);
  const type = types.find(({ name }) => name === typeName);
  const known = new Set(type?.operations.map(({ name }) => name));
  if (type === undefined || typeName !== otherType || !known.has(first) || !known.has(second)) return '–';
  const named = (name: string) => type.operations.find((operation) => operation.name === name)!;
  const { ruling, when } = ruleOf(type, named(first), named(second));
  return WORDS[ruling](when);
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
