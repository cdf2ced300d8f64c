// The times of waiting are written twice: for the compiler (server-core/src/gate/patience.h) and for readers (docs/rules.md, section 12). Both are to
// say the same.

/** @typedef {import('./source.js').Source} Source */
/** @typedef {import('./source.js').Finding} Finding */

const CODE = 'server-core/src/gate/patience.h';
const PAGE = 'docs/rules.md';
const HEAD = /^ {4}time +ms\b/;

/** @param {string} text of patience.h @returns {string[]} "wait_ms 1000", in order */
const coded = (text) => [...text.matchAll(/^ {2}double (\w+) = ([\d.]+);/gm)].map(([, name, ms]) => `${name} ${Number(ms)}`);

/** @param {string[]} lines of the page, from below the table's head @returns {string[]} the same */
const documented = (lines) =>
  lines
    .map((line) => /^ {4}(\w+) +([\d.,]+)/.exec(line))
    .map((row) => (row === null ? '' : `${row[1]} ${Number(row[2].replaceAll(',', ''))}`));

/** @param {Source[]} sources @returns {Iterable<Finding>} */
export function* onePatience(sources) {
  const code = sources.find(({ path }) => path === CODE);
  const page = sources.find(({ path }) => path === PAGE);
  if (code === undefined || page === undefined) return;
  const lines = page.text.split('\n');
  const head = lines.findIndex((line) => HEAD.test(line));
  const ours = coded(code.text);
  if (ours.length === 0) yield { path: CODE, line: 1, message: 'has no time that can be read' };
  const theirs = head < 0 ? [] : documented(lines.slice(head + 1));
  for (const [row, is] of ours.entries()) {
    const says = theirs[row] ?? '';
    if (is !== says) yield { path: PAGE, line: head + 2 + row, message: `says "${says}" where the code has "${is}"` };
  }
}
