import { describe, expect, it } from 'vitest';
import { briefTime } from './postTime.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const S = 1_000;
const H = 3_600 * S;
const ago = (ms: number) => briefTime(NOW - ms, NOW, 'en', 'UTC');

describe('the time of a post', () => {
  it('is short', () => {
    expect([ago(2 * S), ago(42 * S), ago(61 * S), ago(59 * 60 * S), ago(3 * H), ago(25 * H), ago(6 * 24 * H)]).toEqual([
      'now',
      '42s',
      '1m',
      '59m',
      '3h',
      '1d',
      '6d',
    ]);
  });
  it('is the day for an old post, with the year if it was another one', () => {
    expect([ago(8 * 24 * H), ago(400 * 24 * H)]).toEqual(['Nov 13', 'Oct 17, 2025']);
  });
  it('is never in the future, whatever the clocks say', () => {
    expect(ago(-90 * S)).toBe('now');
  });
});
