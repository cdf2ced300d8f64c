// The project's own text files, read once.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

const NOT_OURS = new Set('node_modules build dist .git .data .cache test-results playwright-report'.split(' '));
const TEXT = /\.(?:cc|h|ts|tsx|js|mjs|css|html|proto|md|json|txt|cmake)$|(?:^|\/)(?:run|\.npmrc|\.gitignore)$/;

/** @typedef {{path: string, text: string}} Source path relative to the project, with slashes */
/** @typedef {{path: string, line: number, message: string}} Finding a violation of a rule, and its location */

/** Paths of all files of the project. @param {string} root */
function* files(root, folder = root) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (NOT_OURS.has(entry.name)) continue;
    const full = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(root, full);
    else if (entry.isFile()) yield relative(root, full);
  }
}

/** @param {string} root @returns {Source[]} */
export const readSources = (root) =>
  [...files(root)].filter((path) => TEXT.test(path)).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/**
 * The files of a clone: tracked files, and new ones that are not ignored; outside of git, all files.
 * @param {string} root @returns {Set<string>}
 */
export function filesInGit(root) {
  try {
    const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
      stdio: 'pipe',
    });
    return new Set(list.split('\0').filter((path) => path !== ''));
  } catch {
    return new Set(files(root));
  }
}

/** Whether a file is used only by tests. @param {string} path */
export const isTest = (path) =>
  /(?:[._](?:test|spec)|_laws)\.[a-z]+$|\/(?:e2e|testing)\/|(?:^|\/)test(?:ing|_[a-z_]+)?\.(?:ts|h|cc)$/.test(path);

/** C++ or JavaScript with its comments blanked and its lines kept. @param {string} text */
export const withoutComments = (text) =>
  text.replace(
    /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
    (whole, string) => string ?? whole.replace(/[^\n]/g, ' '),
  );
