import { describe, expect, it } from 'vitest';
import { SeededEnvironment } from '../testing/seeded-environment.ts';
import { Labels } from './labels.ts';

function straight(): { environment: SeededEnvironment; labels: Labels } {
  const environment = new SeededEnvironment(1);
  const labels = new Labels(environment);
  for (let i = 0; i < 8; i++) labels.ran('a', true);
  return { environment, labels };
}

const isForecast = (labels: Labels) => labels.mayBeForecast('a', false);

describe('a label', () => {
  it('is forecast after eight straight bodies in a row', () => {
    const labels = new Labels(new SeededEnvironment(1));
    for (let i = 0; i < 7; i++) labels.ran('a', true);
    expect(isForecast(labels)).toBe(false);
    labels.ran('a', true);
    expect(isForecast(labels)).toBe(true);
    expect(labels.isStraight('a')).toBe(true);
    labels.ran('a', false);
    expect(isForecast(labels)).toBe(false);
  });

  it('of a list needs no straight bodies', () => {
    const labels = new Labels(new SeededEnvironment(1));
    expect(labels.mayBeForecast('a', true)).toBe(true);
    labels.pause('a');
    expect(labels.mayBeForecast('a', true)).toBe(false);
  });

  it('pauses for a second once more than 24 of its last 64 members were out', () => {
    const { environment, labels } = straight();
    for (let i = 0; i < 24; i++) labels.concluded('a', true);
    for (let i = 0; i < 64; i++) labels.concluded('a', false);
    for (let i = 0; i < 24; i++) labels.concluded('a', true);
    expect(isForecast(labels)).toBe(true);
    labels.concluded('a', true);
    expect(isForecast(labels)).toBe(false);
    environment.standStill(999);
    expect(isForecast(labels)).toBe(false);
    environment.standStill(1);
    expect(isForecast(labels)).toBe(true);
  });

  it('pauses twice as long each time, up to a minute, until 64 members went well', () => {
    const { environment, labels } = straight();
    for (let pauseMs = 1_000; pauseMs <= 64_000; pauseMs *= 2) {
      labels.pause('a');
      environment.standStill(Math.min(pauseMs, 60_000) - 1);
      expect(isForecast(labels)).toBe(false);
      environment.standStill(1);
      expect(isForecast(labels)).toBe(true);
    }
    for (let i = 0; i < 64; i++) labels.concluded('a', false);
    labels.pause('a');
    environment.standStill(1_000);
    expect(isForecast(labels)).toBe(true);
  });
});
