// A line of words, as a shell splits one: blanks part words, '…' and "…" keep them together, a backslash takes the next
// character as it is (outside '…'). Nothing is expanded.

import { usageProblem } from './problem.ts';

/** Throws a usage problem where a quotation is not closed. */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at]!;
    if (character === '\\' && quote !== "'" && at + 1 < line.length) {
      at += 1;
      word = (word ?? '') + line[at]!;
    } else if (quote !== '') {
      if (character === quote) quote = '';
      else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      word = (word ?? '') + character;
    }
  }
  if (quote !== '') throw usageProblem(`A quotation is not closed: ${line}`);
  if (word !== null) words.push(word);
  return words;
}
