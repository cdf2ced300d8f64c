import { describe, expect, test } from 'vitest';

import type { ErrorCode } from './api.ts';
import { postText } from './post-text.ts';
import { RequestProblem } from './problem.ts';

const family = '👨‍👩‍👧‍👦';

function refusal(text: string): ErrorCode | null {
  try {
    postText(text);
    return null;
  } catch (error) {
    if (error instanceof RequestProblem) return error.code;
    throw error;
  }
}

describe('The text of a post', () => {
  const kept: [what: string, text: string][] = [
    ['an emoji of several people', `a ${family} b`],
    ['a flag and a skin tone', '🇪🇺 👍🏽'],
    ['a heart in colour and one in ink', '❤️ ❤︎'],
    ['Arabic with a mark of direction', '\u200fمرحبا (نعم)\u200f'],
    ['Hebrew within English', 'say שלום\u200e now'],
    ['an isolate and its end', 'a \u2067אבג\u2069 b'],
    ['a joiner at its end', 'نامه\u200c'],
    ['a decomposed letter', 'cafe\u0301'],
    ['Hindi', 'क्षत्रिय'],
    ['several lines, one of them empty', 'one\n\nthree'],
    ['markup', '<script>alert(1)</script> &amp; "x"'],
    ['a separator of lines that is no control character', 'a\u2028b'],
  ];
  test.each(kept)('keeps %s as it is', (_what, text) => expect(postText(text)).toBe(text));

  test('has lines that end with \\n, spaces for tabs, no empty lines before it and no space after it', () => {
    expect(postText('a\r\nb\rc')).toBe('a\nb\nc');
    expect(postText('a\tb')).toBe('a b');
    expect(postText(' \n\u00a0\r\n  a b\u3000\r\n')).toBe('  a b');
  });

  test.each(['', ' ', '\n\t\r\n', '\u00a0\u2003', '\u200b', '\u200d\ufe0f', '\u200f \u200e', '\ufeff', '\u3164'])(
    'that shows nothing (%j) is empty',
    (text) => expect(refusal(text)).toBe('text_empty'),
  );

  test.each(['a\u0000b', 'a\u0007', '\u001b[31mred', 'a\u007fb', 'a\u0085b', 'a\u009bb', '\u000b'])(
    'with a control character (%j) is refused',
    (text) => expect(refusal(text)).toBe('text_has_control_characters'),
  );

  test.each(['\ud800', 'a\udc00b', `${family.slice(0, 1)}`])('with an unpaired surrogate (%j) is refused', (text) =>
    expect(refusal(text)).toBe('invalid_input'),
  );

  test.each([' ', '\n', '\u200d', 'a\u0301', '\r'])('is checked quickly, however long (%j)', (part) => {
    const before = process.cpuUsage();
    expect(refusal(`x${part.repeat(60_000)}x`)).toBe('text_too_long');
    expect(process.cpuUsage(before).user, 'microseconds of a processor').toBeLessThan(5_000_000);
  });

  test('has at most 280 graphemes', () => {
    for (const character of ['a', 'é', 'e\u0301', '👍🏽', '🇪🇺', '각', '\u1100\u1161\u11a8', 'נ']) {
      const [most, more] = [character.repeat(280), character.repeat(281)];
      expect(postText(most)).toBe(most);
      expect(refusal(more)).toBe('text_too_long');
    }
    expect(postText('a\n'.repeat(139) + 'bc')).toHaveLength(280);
  });

  test('has at most 4,096 bytes, though a grapheme may take many', () => {
    expect(postText(family.repeat(163))).toHaveLength(163 * family.length); // 25 bytes each
    expect(refusal(family.repeat(164))).toBe('text_too_long');
    expect(refusal(`a${'\u0301'.repeat(2_048)}`)).toBe('text_too_long');
  });
});
