// How long a text is as people count: by grapheme clusters, so that a family of four or a letter with its accents is one.
import type { LIMITS } from '../../../server/api.ts';

export const GRAPHEMES_MAX: typeof LIMITS.text_graphemes_max = 280;
export const BYTES_MAX: typeof LIMITS.text_bytes_max = 4_096;
/** From here on the counter says how many are left. */
export const NEAR_END = 20;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const encoder = new TextEncoder();

export interface PostLength {
  graphemes: number;
  /** How many may still be typed; less than 0: so many too many. */
  left: number;
  /** Where in the text what is too much begins (a UTF-16 index); the text's length when nothing is. */
  fits_until: number;
  /** Not too many characters, but too much to store: characters with very many accents. */
  hasTooManyBytes: boolean;
  isEmpty: boolean;
}

export function measurePost(text: string): PostLength {
  let graphemes = 0;
  let fits_until = text.length;
  for (const { index } of segmenter.segment(text)) {
    if (graphemes === GRAPHEMES_MAX) fits_until = index;
    graphemes++;
  }
  return {
    graphemes,
    left: GRAPHEMES_MAX - graphemes,
    fits_until,
    hasTooManyBytes: encoder.encode(text).length > BYTES_MAX,
    isEmpty: text.trim() === '',
  };
}

export function canPost({ left, hasTooManyBytes, isEmpty }: PostLength): boolean {
  return left >= 0 && !hasTooManyBytes && !isEmpty;
}

/** The text as it is sent: no blank lines and spaces around it, line ends as \n, and no characters that cannot be seen. */
export function textToSend(typed: string): string {
  return typed
    .replace(/\r\n?/g, '\n')
    .replaceAll('\t', ' ')
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '')
    .replace(/^(?:[^\S\n]*\n)+/, '')
    .trimEnd();
}
