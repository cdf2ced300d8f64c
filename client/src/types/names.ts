// Names, meanings and numbers of members: what a definition may have of each.

import { operationSpecs } from '../generated/handles.ts';
import { invalid } from './problem.ts';

export const FIELDS_MAX = 16;
export const OPERATIONS_MAX = 32;
export const PARAMETERS_MAX = 16;
export const REQUIREMENTS_MAX = 16;
export const CHANGES_MAX = 16;
export const MEANING_CHARACTERS_MAX = 500;
const VERSION_MAX = 2 ** 31 - 1;

const TYPE_NAME = /^[A-Z][A-Za-z0-9]{0,39}$/;
const NAME = /^[a-z][A-Za-z0-9_]{0,39}$/;

/** "Value" is what definitions call the type of a value field. */
const BUILT_IN = new Set(['Value', ...[...operationSpecs.keys()].map((name) => name.split('.')[0])]);

/** What objects of JavaScript have under these names is not the type's, and an object with `then` is taken for a promise. */
const TAKEN = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype', 'then']);

export function checkTypeName(name: unknown): asserts name is string {
  if (typeof name !== 'string' || !TYPE_NAME.test(name)) {
    throw invalid('the name of a type begins with a capital and has at most 40 letters and digits');
  }
  if (BUILT_IN.has(name)) throw invalid(`${name} is a built-in type: call this one something else`);
}

/** @param what "a field" */
export function checkName(name: unknown, what: string): asserts name is string {
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw invalid(
      `${what} is called ${JSON.stringify(name)}: a name begins with a small letter and has at most 40 letters, digits and underscores`,
    );
  }
  if (TAKEN.has(name)) throw invalid(`${what} is called ${name}, which means something else in JavaScript`);
}

export function checkVersion(version: unknown): asserts version is number {
  if (typeof version === 'number' && Number.isInteger(version) && version >= 1 && version <= VERSION_MAX) return;
  throw invalid(`the version is an integer from 1 to ${VERSION_MAX}`);
}

/** @param what "the meaning" */
export function checkMeaning(meaning: unknown, what = 'the meaning'): asserts meaning is string {
  if (typeof meaning !== 'string') throw invalid(`${what} is a text, and it is missing`);
  if (!meaning.isWellFormed()) throw invalid(`${what} has half of a surrogate pair`);
  if ([...meaning].length > MEANING_CHARACTERS_MAX) throw invalid(`${what} has more than ${MEANING_CHARACTERS_MAX} characters`);
}

/**
 * The members of an object that a developer wrote, in their order.
 * @param what "fields": of which there are at most `max`
 */
export function membersOf(object: unknown, what: string, max: number): [name: string, member: unknown][] {
  const prototype: unknown = typeof object === 'object' && object !== null ? Object.getPrototypeOf(object) : undefined;
  // `{ __proto__: … }` names no member, and would be lost without a word.
  if (prototype !== null && prototype !== Object.prototype) throw invalid(`the ${what} are members of a plain object`);
  if (Object.getOwnPropertySymbols(object).length > 0) throw invalid(`the ${what} have names, and not symbols`);
  const members = Object.entries(object as object);
  if (members.length > max) throw invalid(`there are ${members.length} ${what}, and at most ${max} are possible`);
  return members;
}

/** The members of an object by their names, none of which is another than these. */
export function onlyThese<Name extends string>(object: unknown, what: string, names: readonly Name[]): Partial<Record<Name, unknown>> {
  const found = new Map(membersOf(object, what, Infinity));
  const known: readonly string[] = names;
  for (const name of found.keys())
    if (!known.includes(name)) throw invalid(`${JSON.stringify(name)} is none of the ${what}: ${names.join(', ')}`);
  return Object.assign(Object.create(null) as Partial<Record<Name, unknown>>, Object.fromEntries(found));
}
