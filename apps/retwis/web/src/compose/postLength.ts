// The length of a text in grapheme clusters: a family emoji or a letter with its accents counts as one.
import type { LIMITS } from '../../../server/api.ts';

export const GRAPHEMES_MAX: typeof LIMITS.text_graphemes_max = 280;
export const BYTES_MAX: typeof LIMITS.text_bytes_max = 4_096;
/** the counter shows the characters left from here on */
export const NEAR_END = 20;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const encoder = new TextEncoder();
// as in the server's post-text.ts
const CONTROL = /(?!\n)\p{Cc}/gu;
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}]/u;

export interface PostLength {
  graphemes: number;
  /** characters left; negative: the excess */
  left: number;
  /** the index (UTF-16) at which the excess begins; the text's length if there is none */
  fits_until: number;
  /** few enough characters, but too many bytes: characters with very many accents */
  hasTooManyBytes: boolean;
  isEmpty: boolean;
}

/** Measures the text as it would be sent. */
export function measurePost(typed: string): PostLength {
  const text = textToSend(typed);
  const begins = typed.length - typed.trimStart().length;
  let graphemes = 0;
  let fits_until = typed.length;
  for (const { index } of segmenter.segment(text)) {
    if (graphemes === GRAPHEMES_MAX) fits_until = begins + index;
    graphemes++;
  }
  return {
    graphemes,
    left: GRAPHEMES_MAX - graphemes,
    fits_until,
    hasTooManyBytes: encoder.encode(text).length > BYTES_MAX,
    isEmpty: !VISIBLE.test(text),
  };
}

export function canPost({ left, hasTooManyBytes, isEmpty }: PostLength): boolean {
  return left >= 0 && !hasTooManyBytes && !isEmpty;
}

/** The part of typed or pasted text that a field keeps: no unpaired surrogates, no control characters. */
export function textToKeep(typed: string): string {
  return typed.toWellFormed().replace(/\r\n?/g, '\n').replaceAll('\t', ' ').replace(CONTROL, '');
}

/** The text as it is sent and stored, without the space around it. */
export function textToSend(typed: string): string {
  return typed.trim();
}
