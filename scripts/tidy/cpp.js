// The core's rules that a program can check: which room may include which, and the length of functions.
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
