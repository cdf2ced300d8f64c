import { describe, expect, it } from 'vitest';
import { freshSeed, randomFrom } from '../testing/random.ts';
import { ShardClock } from './shard-clock.ts';

describe("what a client knows of a shard's steady clock", () => {
  it('is never more than the clock shows, however slow the frames and wrong the rates are', () => {
    const seed = freshSeed();
    console.log(`seed ${seed}`);
    const random = randomFrom(seed);
    for (let round = 0; round < 200; round++) {
      const clock = new ShardClock();
      const rate = 1 + 0.009 * (2 * random.next() - 1);
      const shardMs = (clientMs: number) => 12_345 + clientMs * rate;
      let nowMs = 0;
      let sentMs = 0;
      for (let frame = 0; frame < 50; frame++) {
        sentMs = Math.max(sentMs, nowMs - random.below(40)) + random.next();
        nowMs = Math.max(nowMs, sentMs) + random.next() * random.pick([1, 30, 500]);
        clock.told(Math.round(shardMs(sentMs) * 1_000), nowMs);
        const endMs = nowMs + random.below(2_000);
        expect(clock.atLeastUs(endMs)).toBeLessThanOrEqual(shardMs(endMs) * 1_000);
      }
    }
  });

  it('is as good as the quickest of the last frames', () => {
    const clock = new ShardClock();
    clock.told(5_000_000, 0);
    clock.told(5_100_000, 400);
    expect(clock.atLeastUs(400) / 1_000).toBeCloseTo(5_400 - 4 - 1);
    clock.told(65_000_000, 60_300);
    expect(clock.atLeastUs(60_300) / 1_000, 'the first frame says little by now').toBeCloseTo(65_000 - 1);
  });

  it('rises if the clock of the client has stood still, and for nothing else but a slow frame', () => {
    const clock = new ShardClock();
    expect(clock.told(5_000_000, 0)).toBe(false);
    expect(clock.told(5_050_000, 90), 'a slow frame').toBe(false);
    expect(clock.told(5_109_000, 100)).toBe(false);
    expect(clock.told(5_219_500, 200)).toBe(true);
    expect(clock.told(5_319_500, 300)).toBe(false);
  });

  it('is nothing before a frame has told of it', () => {
    const clock = new ShardClock();
    expect([clock.known, clock.atLeastUs(1_000)]).toEqual([false, 1]);
    clock.told(5_000_000, 0);
    clock.forget();
    expect([clock.known, clock.atLeastUs(1_000)]).toEqual([false, 1]);
  });
});
