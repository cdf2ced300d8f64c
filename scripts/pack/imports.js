// What a package's JavaScript imports from other packages, held against what its package.json declares.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../run/problem.js';
import { withoutComments } from '../tidy/source.js';

const IMPORT = /\b(?:from\s+|import\s*\(?\s*)['"]([^'"]+)['"]/g;
const NAME = /^(@[^/]+\/[^/]+|[^@./][^/]*)/;

/** @param {string} code @returns {string[]} names of packages */
export function packagesIn(code) {
  const found = [...withoutComments(code).matchAll(IMPORT)].map(([, specifier]) => specifier);
  return found.filter((specifier) => !specifier.startsWith('node:')).flatMap((specifier) => NAME.exec(specifier)?.[1] ?? []);
}

/** Below these lies what is not the package's own: packages, pages, the sources of somebody's app. */
const FOREIGN = /(?:^|\/)(?:node_modules|dashboard|template)\//;

/** @param {string} folder @returns {Set<string>} names of the packages that its own JavaScript imports */
export function importedBy(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const code = files.filter((file) => /\.(?:js|mjs|d\.ts)$/.test(file) && !FOREIGN.test(file));
  return new Set(code.flatMap((file) => packagesIn(readFileSync(join(folder, file), 'utf8'))));
}

/**
 * Throws a Problem where one is imported and not declared, or the other way round.
 * @param {string} folder of the package @param {{name: string, dependencies?: Record<string, string>}} manifest
 */
export function checkImports(folder, { name, dependencies = {} }) {
  const imported = importedBy(folder);
  imported.delete(name);
  const missing = [...imported].filter((each) => !(each in dependencies));
  const idle = Object.keys(dependencies).filter((each) => !imported.has(each));
  if (missing.length > 0) throw new Problem(`${name} imports ${missing.join(', ')}, which its package.json does not declare.`);
  if (idle.length > 0) throw new Problem(`${name} declares ${idle.join(', ')} in its package.json and does not import it.`);
}
