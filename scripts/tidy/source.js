// The project's own text files, read once.
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

const NOT_OURS = new Set(
  'node_modules build dist .git .data .cache test-results playwright-report'.split(' '),
);
const TEXT = /\.(?:cc|h|ts|tsx|js|mjs|css|html|proto|md|json|txt|cmake)$|(?:^|\/)(?:run|\.npmrc|\.gitignore)$/;

/** @typedef {{path: string, text: string}} Source path relative to the project, with slashes */

/** @param {string} root @returns {Source[]} */
export function readSources(root) {
  const found = [];
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (NOT_OURS.has(entry.name)) continue;
      const full = join(folder, entry.name);
      if (entry.isDirectory()) walk(full);
      else if (entry.isFile() && TEXT.test(full)) found.push({ path: relative(root, full), text: readFileSync(full, 'utf8') });
    }
  };
  walk(root);
  return found;
}

/** A file that only tests use. @param {string} path */
export const isTest = (path) => /(?:[._](?:test|spec)|_laws)\.[a-z]+$|\/e2e\/|(?:^|\/)test(?:ing|_[a-z_]+)?\.(?:ts|h|cc)$/.test(path);

/** C++ or JavaScript with its comments blanked, lines kept. @param {string} text */
export const withoutComments = (text) =>
  text.replace(/("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (whole, string) =>
    string ?? whole.replace(/[^\n]/g, ' '),
  );
