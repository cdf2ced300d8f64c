// Tidiness as a test, after TigerBeetle's tidy.zig: runs every rule over every source.
import { readSources } from './source.js';
import { RULES } from './rules.js';

/** @typedef {import('./rules.js').Finding & {rule: string}} Breach */

/** @param {import('./source.js').Source[]} sources @param {string} root @returns {Breach[]} */
export function breaches(sources, root) {
  return Object.entries(RULES).flatMap(([rule, find]) =>
    [...find(sources, root)].filter(({ message }) => message !== '').map((finding) => ({ rule, ...finding })),
  );
}

/** @param {string} root of the project @returns {Breach[]} */
export const tidy = (root) => breaches(readSources(root), root);

/** @param {Breach[]} found */
export const report = (found) => found.map(({ path, line, rule, message }) => `${path}:${line}: ${rule}: ${message}`).join('\n');
