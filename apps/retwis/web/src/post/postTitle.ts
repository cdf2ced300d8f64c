// A post's words where there is room for a line: the window's title.

const LENGTH_MAX = 60;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The first words on one line; characters as people count them are never cut. */
export function postTitle(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = Array.from(segmenter.segment(line), ({ segment }) => segment);
  return characters.length > LENGTH_MAX ? `${characters.slice(0, LENGTH_MAX).join('').trimEnd()}…` : line;
}
