// How long a text is as people count: by grapheme clusters, so that a family of four or a letter with its accents is one.
import type { LIMITS } from '../../../server/api.ts';

export const GRAPHEMES_MAX: typeof LIMITS.text_graphemes_max = 280;
export const BYTES_MAX: typeof LIMITS.text_bytes_max = 4_096;
/** From here on the counter says how many are left. */
export const NEAR_END = 20;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const encoder = new TextEncoder();
// As the server's post-text.ts has them.
const CONTROL = /(?!\n)\p{Cc}/gu;
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}]/u;

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

/** Measures what would be sent of what was typed. */
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

/** What a field takes of what was typed or pasted: no half characters, and none that nobody can see. */
export function textToKeep(typed: string): string {
  return typed.toWellFormed().replace(/\r\n?/g, '\n').replaceAll('\t', ' ').replace(CONTROL, '');
}

/** The text as it is sent and stored, without the space around it. */
export function textToSend(typed: string): string {
  return typed.trim();
}
