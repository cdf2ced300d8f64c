import { describe, expect, it } from 'vitest';
import { Lag } from './lag.ts';

describe('how far behind', () => {
  it('is zero before the first message, and while messages arrive at the rate at which they are sent', () => {
    const lag = new Lag();
    expect(lag.behind(1e9)).toBe(0);
    for (let sent_ms = 0; sent_ms < 120_000; sent_ms += 200) {
      lag.heard(1e12 + sent_ms, 500 + sent_ms);
      expect(lag.behind(500 + sent_ms)).toBe(0);
    }
  });

  it('grows while nothing arrives, and with each message that is later than the others', () => {
    const lag = new Lag();
    lag.heard(1e12, 0);
    expect(lag.behind(3_000)).toBe(3_000);
    lag.heard(1e12 + 1_000, 5_000);
    expect(lag.behind(5_000)).toBe(4_000);
    lag.heard(1e12 + 5_000, 5_000);
    expect(lag.behind(5_000)).toBe(0);
  });

  it('is correct again within a minute after the sender’s clock was set back, and at once after it was set forward', () => {
    const lag = new Lag();
    const hear = (from_ms: number, to_ms: number, offset_ms: number) => {
      for (let now_ms = from_ms; now_ms < to_ms; now_ms += 200) lag.heard(now_ms + offset_ms, now_ms);
      return lag.behind(to_ms - 200);
    };
    expect(hear(0, 50_000, 1e12)).toBe(0);
    expect(hear(50_000, 51_000, 1e12 + 10_000)).toBe(0);
    expect(hear(51_000, 52_000, 1e12)).toBe(10_000);
    expect(hear(52_000, 115_000, 1e12)).toBe(0);
  });
});
