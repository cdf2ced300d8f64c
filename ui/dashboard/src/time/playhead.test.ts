import { expect, test } from 'vitest';
import { Playhead } from './playhead.ts';

test('it moves smoothly, forwards, and not beyond the newest data', () => {
  const playhead = new Playhead();
  let before = playhead.step(100_000, 0);
  const steps: number[] = [];
  for (let now_ms = 16; now_ms < 20_000; now_ms += 16) {
    const newest_ms = 100_000 + Math.floor(now_ms / 200) * 200;
    const edge_ms = playhead.step(newest_ms, now_ms);
    expect(edge_ms).toBeLessThanOrEqual(newest_ms);
    if (now_ms > 5_000) steps.push(edge_ms - before);
    before = edge_ms;
  }
  expect(Math.min(...steps)).toBeGreaterThan(8);
  expect(Math.max(...steps)).toBeLessThan(24);
});

test('it stops without new data, and jumps over a gap', () => {
  const playhead = new Playhead();
  playhead.step(100_000, 0);
  for (let now_ms = 16; now_ms < 5_000; now_ms += 16) playhead.step(100_000, now_ms);
  expect(playhead.step(100_000, 5_016)).toBe(100_000);
  expect(playhead.step(160_000, 5_032)).toBe(160_000);
  expect(playhead.step(20_000, 5_048)).toBe(20_000);
});
