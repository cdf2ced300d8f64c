import { describe, expect, it } from 'vitest';
import { formatCompact, formatCounted, formatMoney, formatMoneyInFull, parseMoney, typedMoney } from './money.ts';
import { formatCountdown, formatMoment, formatMonth, formatRelative, secondsLeft, speakCountdown } from './time.ts';

describe('money', () => {
  it('has its sign and separators, and cents only if there are any', () => {
    expect(formatMoney(120_000, 'en-US')).toBe('$1,200');
    expect(formatMoney(1_250, 'en-US')).toBe('$12.50');
    expect(formatMoney(5, 'en-US')).toBe('$0.05');
    expect(formatMoney(0, 'en-US')).toBe('$0');
    expect(formatMoney(123_456_700, 'de-DE', 'EUR')).toBe('1.234.567\u00a0€');
  });
  it('is written in full for columns', () => {
    expect(formatMoneyInFull(120_000, 'en-US')).toBe('$1,200.00');
    expect(formatMoneyInFull(1_250, 'en-US')).toBe('$12.50');
  });
  it('has a singular and a plural', () => {
    expect(formatCounted(1, 'bid', 'bids', 'en-US')).toBe('1 bid');
    expect(formatCounted(0, 'bid', 'bids', 'en-US')).toBe('0 bids');
    expect(formatCounted(1200, 'bid', 'bids', 'en-US')).toBe('1,200 bids');
  });
  it('is abbreviated from ten thousand on, and never rounded up', () => {
    const short = (count: number) => formatCompact(count, 'en-US');
    expect([0, 999, 9_999].map(short)).toEqual(['0', '999', '9,999']);
    expect([10_000, 12_999, 65_000, 999_999, 1_299_999].map(short)).toEqual(['10K', '12.9K', '65K', '999.9K', '1.2M']);
  });
  it('is parsed to cents from a person’s input', () => {
    expect(parseMoney(' $1,200 ')).toBe(120_000);
    expect(parseMoney('1 200')).toBe(120_000);
    expect(parseMoney('15.5')).toBe(1_550);
    expect(parseMoney('15.05')).toBe(1_505);
    expect(parseMoney('0.29')).toBe(29);
  });
  it('is refused if it is not a plain amount', () => {
    for (const typed of ['', ' ', 'ten', '-5', '1.505', '.5', '5.', '1e3', '0x10', '1,2', '12,34', 'Infinity', 'NaN']) {
      expect(parseMoney(typed), typed).toBeNull();
    }
  });
  it('is infinite if it is too large to count in cents', () => {
    expect(parseMoney('12345678901234')).toBe(1_234_567_890_123_400);
    expect(parseMoney('99999999999999999999')).toBe(Infinity);
  });
  it('is parsed back from its own input format', () => {
    for (const cents of [0, 1, 29, 100, 1_005, 123_456]) expect(parseMoney(typedMoney(cents))).toBe(cents);
  });
});

describe('time', () => {
  const now_ms = Date.UTC(2026, 10, 21, 12);
  it('shows a moment in the reader’s time zone', () => {
    expect(formatMoment(now_ms, 'en-US', 'UTC').replace(/\s/g, ' ')).toBe('Nov 21, 2026, 12:00 PM');
  });
  it('shows a month, in full or short', () => {
    expect(formatMonth(now_ms, 'en-US', 'UTC')).toBe('November 2026');
    expect(formatMonth(now_ms, 'en-US', 'UTC', 'short')).toBe('Nov 2026');
  });
  it('shows how long ago, in the largest fitting unit', () => {
    const ago = (ms: number) => formatRelative(now_ms - ms, now_ms, 'en');
    expect(ago(1_000)).toBe('now');
    expect(ago(30_000)).toBe('30 seconds ago');
    expect(ago(119_000)).toBe('1 minute ago');
    expect(ago(7_200_000)).toBe('2 hours ago');
    expect(ago(86_400_000)).toBe('yesterday');
    expect(formatRelative(now_ms - 119_000, now_ms, 'en', 'narrow')).toBe('1m ago');
    expect(formatRelative(now_ms + 3 * 86_400_000, now_ms, 'en')).toBe('in 3 days');
  });
  it('counts whole seconds up to the end, so that zero is the end itself', () => {
    expect(secondsLeft(1_000, 0)).toBe(1);
    expect(secondsLeft(1_001, 0)).toBe(2);
    expect(secondsLeft(1_000, 999)).toBe(1);
    expect(secondsLeft(1_000, 1_000)).toBe(0);
    expect(secondsLeft(1_000, 9_999)).toBe(0);
  });
  it('shows no seconds above a minute, and seconds below', () => {
    expect(formatCountdown(93_600)).toBe('1d 2h');
    expect(formatCountdown(7_380)).toBe('2h 3m');
    expect(formatCountdown(7_200)).toBe('2h');
    expect(formatCountdown(119)).toBe('1m');
    expect(formatCountdown(60)).toBe('1m');
    expect(formatCountdown(59)).toBe('59s');
    expect(formatCountdown(0)).toBe('Ended');
  });
  it('is spoken in full words', () => {
    expect(speakCountdown(10)).toBe('10 seconds left');
    expect(speakCountdown(60)).toBe('1 minute left');
    expect(speakCountdown(0)).toBe('Ended');
  });
});
