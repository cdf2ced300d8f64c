// Hashtags in a text. Pages and server find them by the same rule, so this file imports neither side.

/** the longest hashtag, in characters */
export const TAG_LENGTH_MAX = 50;
/** hashtags per post; further ones stay plain text */
export const TAGS_MAX = 5;

/**
 * A # at the beginning of a word, then letters, marks, digits and _ of any script, with at least one letter. For use inside a larger
 * pattern.
 */
export const HASHTAG = `(?<![\\p{L}\\p{M}\\p{N}_#&/])#(?=[\\p{N}_]*\\p{L})(?<tag>[\\p{L}\\p{M}\\p{N}_]{1,${TAG_LENGTH_MAX}})(?![\\p{L}\\p{M}\\p{N}_#])`;

const HASHTAGS = new RegExp(HASHTAG, 'gu');
const ALONE = new RegExp(`^${HASHTAG}$`, 'u');

/** Tags that differ only in case or composition have the same name. */
export const tagName = (tag: string): string => tag.normalize('NFC').toLowerCase();

/** the names of the text's first TAGS_MAX different hashtags */
export function hashtags(text: string): string[] {
  const names = Array.from(text.matchAll(HASHTAGS), ({ groups }) => tagName(groups!['tag']!));
  return [...new Set(names)].slice(0, TAGS_MAX);
}

/** The name of the tag, without its #; null: not a valid tag. */
export function parseTag(tag: string): string | null {
  return ALONE.test(`#${tag}`) ? tagName(tag) : null;
}
