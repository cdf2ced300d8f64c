// The text of a post: its validation and its stored form.
//
// Lines end with \n and a tab becomes a space; empty lines before the text and space after it are removed. Everything else stays byte for
// byte: joiners, variation selectors and direction marks are part of the text. Markup is left as it is: pages show it as text.
import { LIMITS } from './api.ts';
import { RequestProblem } from './problem.ts';

// C0, C1 and DEL, but no line end.
const CONTROL = /(?!\n)\p{Cc}/u;
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}]/u;
const EMPTY_LINES_BEFORE = /^(?:[^\S\n]*\n)+/;

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

export function postText(text: string): string {
  if (!text.isWellFormed())
    throw new RequestProblem('invalid_input', { field: 'text', detail: 'This text contains an incomplete character.' });
  const plain = text.replace(/\r\n?/g, '\n').replaceAll('\t', ' ');
  if (CONTROL.test(plain)) throw new RequestProblem('text_has_control_characters', { field: 'text' });
  if (!VISIBLE.test(plain)) throw new RequestProblem('text_empty', { field: 'text' });
  const trimmed = plain.replace(EMPTY_LINES_BEFORE, '').trimEnd();
  if (hasMoreCharacters(trimmed, LIMITS.text_graphemes_max)) throw new RequestProblem('text_too_long', { field: 'text' });
  if (Buffer.byteLength(trimmed) > LIMITS.text_bytes_max) {
    throw new RequestProblem('text_too_long', {
      field: 'text',
      detail: 'Some of these characters take up too much space. Try removing a few accents or emoji.',
    });
  }
  return trimmed;
}

/** Counts grapheme clusters. */
function hasMoreCharacters(text: string, max: number): boolean {
  let count = 0;
  for (const _ of characters.segment(text)) if (++count > max) return true;
  return false;
}
