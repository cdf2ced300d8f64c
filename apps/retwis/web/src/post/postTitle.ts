// A post's text in one line: the window's title.

const LENGTH_MAX = 60;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The first words on one line; no grapheme is split. */
export function postTitle(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = Array.from(segmenter.segment(line), ({ segment }) => segment);
  return characters.length > LENGTH_MAX ? `${characters.slice(0, LENGTH_MAX).join('').trimEnd()}…` : line;
}
