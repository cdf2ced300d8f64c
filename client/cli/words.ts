// Splits a line into words as a shell does: words are separated by blanks, '…' and "…" quote them, and a backslash outside '…'
// escapes the next character. Nothing is expanded.

import { usageProblem } from './problem.ts';

/** Throws a usage problem if a quotation is not closed. */
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
