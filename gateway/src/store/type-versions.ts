// What a later version of an installed data type must keep besides its fields, which the core sees to: clients name an operation by its place, and
// may not know of the later version yet.
import { isDeepStrictEqual } from 'node:util';

interface Operation {
  name: string;
  result: string;
  parameters: { kind: string }[];
}

const operationsOf = (definition: string): Operation[] => (JSON.parse(definition) as { operations: Operation[] }).operations;
const callOf = ({ name, result, parameters }: Operation) => [name, result, parameters.map(({ kind }) => kind)];

/** Why `later` cannot follow `before`; undefined: it can. REQUIRES: both are definitions. */
export function problemOfVersion(before: string, later: string): string | undefined {
  const operations = operationsOf(later);
  const lost = operationsOf(before).find((operation, at) => {
    const now = operations[at];
    return now === undefined || !isDeepStrictEqual(callOf(now), callOf(operation));
  });
  if (lost === undefined) return undefined;
  return `a later version keeps the operations of the earlier one, in their order, with their parameters and results, and may add others behind them: ${lost.name} is another one now`;
}
