import { describe, expect, it } from 'vitest';
import { Labels } from './labels.ts';

let nowMs = 1_000;

function straight(): Labels {
  const labels = new Labels();
  for (let i = 0; i < 8; i++) labels.ran('a', true);
  return labels;
}

const isForecast = (labels: Labels) => labels.mayBeForecast('a', false, nowMs);

describe('a label', () => {
  it('is forecast after eight straight bodies in a row', () => {
    const labels = new Labels();
    for (let i = 0; i < 7; i++) labels.ran('a', true);
    expect(isForecast(labels)).toBe(false);
    labels.ran('a', true);
    expect(isForecast(labels)).toBe(true);
    expect(labels.isStraight('a')).toBe(true);
    labels.ran('a', false);
    expect(isForecast(labels)).toBe(false);
  });

  it('of a list needs no straight bodies', () => {
    const labels = new Labels();
    expect(labels.mayBeForecast('a', true, nowMs)).toBe(true);
    labels.pause('a', nowMs);
    expect(labels.mayBeForecast('a', true, nowMs)).toBe(false);
  });

  it('pauses for a second once more than 24 of its last 64 members were out', () => {
    const labels = straight();
    for (let i = 0; i < 24; i++) labels.concluded('a', true, nowMs);
    for (let i = 0; i < 64; i++) labels.concluded('a', false, nowMs);
    for (let i = 0; i < 24; i++) labels.concluded('a', true, nowMs);
    expect(isForecast(labels)).toBe(true);
    labels.concluded('a', true, nowMs);
    expect(isForecast(labels)).toBe(false);
    nowMs += 999;
    expect(isForecast(labels)).toBe(false);
    nowMs += 1;
    expect(isForecast(labels)).toBe(true);
  });

  it('pauses twice as long each time, up to a minute, until 64 members went well', () => {
    const labels = straight();
    for (let pauseMs = 1_000; pauseMs <= 64_000; pauseMs *= 2) {
      labels.pause('a', nowMs);
      nowMs += Math.min(pauseMs, 60_000) - 1;
      expect(isForecast(labels)).toBe(false);
      nowMs += 1;
      expect(isForecast(labels)).toBe(true);
    }
    for (let i = 0; i < 64; i++) labels.concluded('a', false, nowMs);
    labels.pause('a', nowMs);
    nowMs += 1_000;
    expect(isForecast(labels)).toBe(true);
  });
});
