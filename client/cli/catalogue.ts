// The catalogue of data types and operations (generated from the core's), searched by name. A misspelt name gets a suggestion.

import { closest, distance } from 'fastest-levenshtein';
import { RECORD, TYPES } from './generated/catalogue.ts';
import { usageProblem } from './problem.ts';
import type { OperationDescription, TypeDescription } from './type-description.ts';

export { RECORD, TYPES };
/** The types, and what every record has. */
export const NAMED: readonly TypeDescription[] = [...TYPES, RECORD];
export const OPERATIONS: readonly OperationDescription[] = NAMED.flatMap(({ operations }) => operations);

const letters = (word: string): string => [...word.toLowerCase()].sort().join('');

/** The known word nearest to a misspelt one, if it is near enough. Two swapped letters count as one mistake. */
export function suggestion(word: string, known: readonly string[]): string | undefined {
  const swapped = known.find((each) => letters(each) === letters(word));
  if (swapped !== undefined) return swapped;
  const lower = word.toLowerCase();
  const nearest = closest(
    lower,
    known.map((each) => each.toLowerCase()),
  );
  const found = known.find((each) => each.toLowerCase() === nearest);
  return found !== undefined && distance(lower, nearest) <= Math.max(1, Math.floor(word.length / 3)) ? found : undefined;
}

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
const shortName = (operation: OperationDescription): string => operation.name.slice(operation.name.indexOf('.') + 1);

/** Finds a type, or `Record`, by its name in upper or lower case: `Set`, `set`. Throws a usage problem. */
export function findType(name: string): TypeDescription {
  const type = NAMED.find((each) => same(each.name, name));
  if (type !== undefined) return type;
  const names = TYPES.map((each) => each.name);
  const meant = suggestion(name, names);
  throw usageProblem(
    `There is no data type ${name}.`,
    meant === undefined ? `The types are ${names.join(', ')}.` : `Did you mean ${meant}?`,
  );
}

/** Finds an operation by its name, such as "Set.add", in upper or lower case. Throws a usage problem. */
export function findOperation(name: string): OperationDescription {
  const operation = OPERATIONS.find((each) => same(each.name, name));
  if (operation !== undefined) return operation;
  const dot = name.indexOf('.');
  if (dot < 0) throw usageProblem(`${name} is not an operation.`, 'An operation is named with its type: Set.add.');
  const [typeName, word] = [name.slice(0, dot), name.slice(dot + 1)];
  const type = NAMED.find((each) => same(each.name, typeName));
  if (type === undefined) {
    const meant = suggestion(
      name,
      OPERATIONS.map((each) => each.name),
    );
    if (meant !== undefined) throw usageProblem(`There is no data type ${typeName}.`, `Did you mean ${meant}?`);
    findType(typeName);
  }
  const words = type!.operations.map(shortName);
  const meant = suggestion(word, words);
  throw usageProblem(
    `${type!.name} has no operation ${word === '' ? 'without a name' : word}.`,
    `${meant === undefined ? '' : `Did you mean ${type!.name}.${meant}? `}It has ${words.join(', ')}.`,
  );
}
