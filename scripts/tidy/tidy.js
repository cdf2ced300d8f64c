// Tidiness as a test, after TigerBeetle's tidy.zig: runs every rule over every source.
import { filesInGit, readSources } from './source.js';
import { RULES } from './rules.js';

/** @typedef {import('./source.js').Finding & {rule: string}} Breach */

/**
 * @param {import('./source.js').Source[]} sources @param {string} root
 * @param {Set<string>} [files] paths of all files in git, including pictures; defaults to the sources
 * @returns {Breach[]}
 */
export function breaches(sources, root, files = new Set(sources.map(({ path }) => path))) {
  return Object.entries(RULES).flatMap(([rule, find]) =>
    [...find(sources, root, files)].filter(({ message }) => message !== '').map((finding) => ({ rule, ...finding })),
  );
}

/** @param {string} root of the project @returns {Breach[]} */
export const tidy = (root) => breaches(readSources(root), root, filesInGit(root));

/** @param {Breach[]} found */
export const report = (found) => found.map(({ path, line, rule, message }) => `${path}:${line}: ${rule}: ${message}`).join('\n');
