// The core's rules that a program can check: which room may include which, the length of functions, and what is iterated.
import { isTest, withoutComments } from './source.js';

/** @typedef {import('./source.js').Source} Source */
/** @typedef {import('./source.js').Finding} Finding */

/** The rooms of server-core/src from the bottom up; a room includes itself and rooms below it. CMakeLists.txt lists exactly which. */
const ROOMS = [
  'ground',
  'structure',
  'resp',
  'adt',
  'composed',
  'wire',
  'counters',
  'gate',
  'transaction',
  'door',
  'telemetry',
  'shard',
  'addon',
];
export const FUNCTION_LINES_MAX = 80;

const INCLUDE = /^#include "([a-z_]+)\/[a-z_]+\.h"$/gm;
const lineOf = (text, index) => text.slice(0, index).split('\n').length;

/** @param {Source[]} sources @returns {Iterable<Finding>} */
export function* cppArrows(sources) {
  for (const { path, text } of sources) {
    const room = /^server-core\/src\/([a-z_]+)\//.exec(path)?.[1];
    if (room === undefined || isTest(path)) continue;
    for (const match of text.matchAll(INCLUDE)) {
      const [, goal] = match;
      if (ROOMS.indexOf(goal) <= ROOMS.indexOf(room) && ROOMS.includes(room)) continue;
      yield { path, line: lineOf(text, match.index), message: `${room} must not include ${goal}` };
    }
  }
}

/**
 * Relies on clang-format, which closes a function with a brace in the first column, and opens it on the line that names it. @param
 * {Source[]} sources
 */
export function* shortFunctions(sources) {
  for (const { path, text } of sources) {
    if (!/^server-core\/.*\.(?:cc|h)$/.test(path) || isTest(path)) continue;
    const code = withoutComments(text).split('\n');
    let began = -1;
    for (const [at, line] of code.entries()) {
      if (/^(?!class|struct|enum|union|namespace|using|extern)\w[^;]*$/.test(line) && began < 0) began = at;
      if (/^(?:class|struct|enum|union|namespace)\b/.test(line) || /^[^ }].*;$/.test(line)) began = -1;
      if (line !== '}' || began < 0) continue;
      const lines = code.slice(began, at + 1).filter((one) => one.trim() !== '').length;
      if (lines > FUNCTION_LINES_MAX)
        yield { path, line: began + 1, message: `a function of ${lines} lines (at most ${FUNCTION_LINES_MAX})` };
      began = -1;
    }
  }
}

/** A table with a name of its own: `absl::flat_hash_map<Key, Value> name;` */
const HASH_TABLE = /\babsl::(?:flat|node)_hash_(?:map|set)<.*>\s+(\w+)(?:\s*[;{=]|\(.*\);)/;
const NEVER_ITERATED = /\/\/.*\bnever iterated\b/;

/** The tables of a file that are never iterated. @param {string} text */
const hashTables = (text) =>
  text.split('\n').flatMap((line) => (NEVER_ITERATED.test(line) ? (HASH_TABLE.exec(line)?.slice(1, 2) ?? []) : []));

/**
 * The order of a hash table depends on addresses and seeds, so it must reach nothing: two runs would differ. Each table says "never iterated", or
 * where and how it is "iterated", and no loop is over one that never is. @param {Source[]} sources
 */
export function* noHashOrder(sources) {
  const core = sources.filter(({ path }) => /^server-core\/src\/.*\.(?:cc|h)$/.test(path) && !isTest(path));
  const texts = new Map(core.map(({ path, text }) => [path, text]));
  for (const { path, text } of core) {
    const tables = new Set([...hashTables(text), ...hashTables(texts.get(path.replace(/\.cc$/, '.h')) ?? '')]);
    const code = withoutComments(text).split('\n');
    for (const [at, line] of text.split('\n').entries()) {
      if (HASH_TABLE.test(code[at]) && !/\/\/.*\biterated\b/.test(line))
        yield { path, line: at + 1, message: 'a hash table: say whether it is "never iterated", or how it is iterated' };
      for (const [, over, begun] of code[at].matchAll(/\bfor \([^;]*[^:]:\s*\*?(\w+)\)|\b(\w+)(?:\.|->)begin\(\)/g))
        if (tables.has(over ?? begun))
          yield { path, line: at + 1, message: `goes over ${over ?? begun}, which is said to be never iterated` };
    }
  }
}
