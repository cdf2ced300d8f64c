import { describe, expect, it } from 'vitest';
import { ServerClock } from './serverClock.ts';

function clockAt(start: number, guess_ms: number) {
  let local = start;
  const clock = new ServerClock(() => local, guess_ms);
  return { clock, pass: (ms: number) => (local += ms) };
}

describe('the server clock', () => {
  it('runs on the guess until the first sample', () => {
    const { clock, pass } = clockAt(100, 5_000);
    expect(clock.now()).toBe(5_000);
    pass(250);
    expect(clock.now()).toBe(5_250);
  });
  it('places the server’s time in the middle of the round trip', () => {
    const { clock, pass } = clockAt(0, 0);
    const sent = clock.stamp();
    pass(80);
    clock.observe(1_000_000, sent);
    expect(clock.now()).toBe(1_000_040);
  });
  it('has a lower bound for the server’s time, however slow the answer was', () => {
    const { clock, pass } = clockAt(0, 7);
    expect(clock.atLeast()).toBe(7);
    const sent = clock.stamp();
    pass(80);
    clock.observe(1_000_000, sent);
    pass(5);
    expect([clock.atLeast(), clock.now()]).toEqual([1_000_005, 1_000_045]);
    const later = clock.stamp();
    pass(200);
    clock.observe(1_000_210, later);
    expect(clock.atLeast()).toBe(1_000_210);
  });
  it('trusts the shortest round trip over a later, slower one', () => {
    const { clock, pass } = clockAt(0, 0);
    let sent = clock.stamp();
    pass(10);
    clock.observe(1_000_000, sent);
    sent = clock.stamp();
    pass(2_000);
    clock.observe(1_001_500, sent);
    expect(clock.now()).toBe(1_002_005);
  });
  it('drops old samples, so that it follows a drifting clock', () => {
    const { clock, pass } = clockAt(0, 0);
    clock.observe(0, clock.stamp());
    for (let round = 0; round < 8; round++) {
      const sent = clock.stamp();
      pass(20);
      clock.observe(clock.stamp() + 490, sent);
    }
    expect(clock.now() - clock.stamp()).toBe(500);
  });
  it('ignores a time that is not a number', () => {
    const { clock } = clockAt(0, 42);
    clock.observe(Number.NaN, 0);
    expect(clock.now()).toBe(42);
  });
  it('notifies its listeners when the estimate changes, and only then', () => {
    const { clock } = clockAt(0, 0);
    let told = 0;
    const stop = clock.subscribe(() => told++);
    clock.observe(700, 0);
    clock.observe(700, 0);
    stop();
    clock.observe(900, 0);
    expect(told).toBe(1);
  });
});
