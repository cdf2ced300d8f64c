// One word, one meaning: the dashboard explains each word as docs/glossary.md does.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GLOSSARY, ONLY_HERE, type GlossaryWord } from './glossary.ts';

const file = readFileSync(new URL('../../../../docs/glossary.md', import.meta.url), 'utf8');

/** The last cell of each row, by its word; links and emphasis are reduced to plain text. */
const rows = new Map(
  [...file.matchAll(/^\| \*\*([^*]+)\*\* \|(?:.*\|)? (.+) \|$/gm)].map(([, word, meaning]) => [
    word!,
    meaning!.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('*', ''),
  ]),
);

test('the test finds rows in the glossary', () => {
  expect(rows.size).toBeGreaterThan(35);
  expect(rows.get('mode')).toContain('`add`');
});

test.each(Object.entries(GLOSSARY))('%s has the meaning that the glossary gives', (word, { meaning, example }) => {
  const row = rows.get(word);
  if (row === undefined) expect(ONLY_HERE).toContain(word as GlossaryWord);
  else expect(row.startsWith(meaning), `${meaning}\nthere: ${row}`).toBe(true);
  for (const text of [meaning, example]) expect(text).toMatch(/[.!?”]$/u);
});
