// The targets of links in Markdown exist: files and pictures in git, headings, and commands of `npm run`.
import { posix } from 'node:path';

/** @typedef {import('./source.js').Source} Source */
/** @typedef {import('./source.js').Finding} Finding */

const LINK = /!?\[[^\]]*\]\(([^()\s]+(?:\([^()\s]*\))?)\)/g;
const COMMAND = /\bnpm (?:run ([a-z][\w:-]*)|(start|test)\b)/g;

/** Lines of prose, with fenced code blanked. @param {string} text */
function prose(text) {
  let fenced = false;
  return text.split('\n').map((line) => {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) fenced = !fenced;
    return fenced || isFence ? '' : line;
  });
}

/** Anchors as GitHub makes them: lower case, punctuation dropped, spaces to hyphens, repeated ones numbered. @param {string} text */
function anchorsOf(text) {
  const seen = new Map();
  const anchors = new Set();
  for (const line of prose(text)) {
    const [, heading] = /^#{1,6}\s+(.*?)\s*#*$/.exec(line) ?? [];
    if (heading === undefined) continue;
    const plain = heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
    const slug = plain
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
}

/** @param {Set<string>} files @param {string} path of a file or a folder */
const exists = (files, path) =>
  path === '.' || files.has(path) || [...files].some((file) => file.startsWith(`${path.replace(/\/$/, '')}/`));

/**
 * Relative links lead to files of the project, and to headings. @param {Source[]} sources @param {string} _root @param
 * {Set<string>} files in git
 */
export function* wholeLinks(sources, _root, files) {
  const pages = new Map(sources.filter(({ path }) => path.endsWith('.md')).map(({ path, text }) => [path, text]));
  for (const [path, text] of pages) {
    for (const [index, line] of prose(text).entries()) {
      for (const [, target] of line.matchAll(LINK)) {
        if (/^[a-z]+:/i.test(target) || target.startsWith('/')) continue; // an external address; a route of a server
        const [file, anchor] = target.split('#');
        const goal = file === '' ? path : posix.normalize(posix.join(posix.dirname(path), decodeURIComponent(file)));
        if (!exists(files, goal)) yield { path, line: index + 1, message: `links to ${target}, which is not in the project` };
        else if (anchor && pages.has(goal) && !anchorsOf(pages.get(goal)).has(anchor)) {
          yield { path, line: index + 1, message: `links to ${target}, which has no such heading` };
        }
      }
    }
  }
}

/** Commands named in Markdown are scripts of package.json. @param {Source[]} sources */
export function* knownCommands(sources) {
  const root = sources.find(({ path }) => path === 'package.json');
  if (!root) return;
  const scripts = new Set(Object.keys(JSON.parse(root.text).scripts ?? {}));
  for (const { path, text } of sources) {
    if (!path.endsWith('.md')) continue;
    for (const [index, line] of text.split('\n').entries()) {
      for (const [, run, short] of line.matchAll(COMMAND)) {
        const name = run ?? short;
        if (!scripts.has(name)) yield { path, line: index + 1, message: `names the command "npm run ${name}", which does not exist` };
      }
    }
  }
}
