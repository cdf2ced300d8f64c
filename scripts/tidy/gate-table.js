// The gate's table is written twice: for the compiler (server-core/src/gate/table.h) and for readers (docs/rules.md). Both are to say the same.

/** @typedef {import('./source.js').Source} Source */
/** @typedef {import('./source.js').Finding} Finding */

const CODE = 'server-core/src/gate/table.h';
const PAGE = 'docs/rules.md';
const HEAD = '| asks \\ stands |';

/** "kItsEpoch" → "its epoch" */
const wordsOf = (name) =>
  name
    .replace(/^k/, '')
    .replaceAll(/\B[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();
const inTicks = (row) => row.join(', ');

/** @param {string} text of table.h @returns {string[][]} */
const coded = (text) =>
  [...text.matchAll(/^ +\/\* ([a-z ]+?) *\*\/ \{\{(.+)\}\},$/gm)].map(([, asker, cells]) => [
    asker,
    ...[...cells.matchAll(/Cell::(k\w+)/g)].map(([, name]) => wordsOf(name)),
  ]);

/** @param {string[]} lines of the page, from below the table's head @returns {string[][]} */
function documented(lines) {
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(1, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((word) => word.trim()),
  );
}

/** @param {Source[]} sources @returns {Iterable<Finding>} */
export function* oneTable(sources) {
  const code = sources.find(({ path }) => path === CODE);
  const page = sources.find(({ path }) => path === PAGE);
  if (code === undefined || page === undefined) return;
  const lines = page.text.split('\n');
  const head = lines.findIndex((line) => line.startsWith(HEAD));
  const [ours, theirs] = [coded(code.text), head < 0 ? [] : documented(lines.slice(head + 1))];
  if (ours.length === 0) yield { path: CODE, line: 1, message: 'has no row that can be read' };
  for (let row = 0; row < Math.max(ours.length, theirs.length); row++) {
    const [is, says] = [inTicks(ours[row] ?? []), inTicks(theirs[row] ?? [])];
    if (is !== says) yield { path: PAGE, line: head + 3 + row, message: `says "${says}" where the code has "${is}"` };
  }
}
