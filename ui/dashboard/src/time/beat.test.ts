import { expect, test, vi } from 'vitest';
import { Beat } from './beat.ts';
import { TimeAxis } from './timeAxis.ts';

function heard() {
  vi.useFakeTimers();
  const store = { version: 0 };
  const axis = new TimeAxis();
  const timers = new Set<number>();
  const clock = {
    now: () => Date.now(),
    setTimeout: (run: () => void, delay_ms: number) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        run();
      }, delay_ms) as unknown as number;
      timers.add(timer);
      return timer;
    },
    clearTimeout: (timer: number) => {
      timers.delete(timer);
      clearTimeout(timer);
    },
  };
  const beat = new Beat(store, axis, clock);
  const listener = vi.fn();
  return { store, axis, beat, timers, listener, stop: beat.subscribe(listener) };
}

test('there are at most four beats a second, and none without news', () => {
  const { store, listener } = heard();
  for (let at_ms = 0; at_ms < 1_000; at_ms += 10) {
    store.version += 1;
    vi.advanceTimersByTime(10);
  }
  expect(listener).toHaveBeenCalledTimes(4);
  vi.advanceTimersByTime(10_000);
  expect(listener.mock.calls.length).toBeLessThanOrEqual(5);
});

test('a single user action is reported at once, and continuous ones in beats', () => {
  const { axis, listener } = heard();
  vi.advanceTimersByTime(1_000);
  const before = listener.mock.calls.length;
  axis.hover(1);
  expect(listener).toHaveBeenCalledTimes(before + 1);
  for (let at_ms = 0; at_ms < 1_000; at_ms += 10) {
    axis.hover(at_ms);
    vi.advanceTimersByTime(10);
  }
  expect(listener.mock.calls.length).toBeLessThanOrEqual(before + 6);
  expect(listener.mock.calls.length).toBeGreaterThanOrEqual(before + 4);
});

test('without listeners there are no beats', () => {
  const { store, timers, listener, stop } = heard();
  stop();
  store.version += 1;
  vi.advanceTimersByTime(1_000);
  expect(listener).not.toHaveBeenCalled();
  expect(timers.size).toBe(0);
});
