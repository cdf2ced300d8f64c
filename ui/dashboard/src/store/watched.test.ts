import { expect, test } from 'vitest';
import { SyntheticCluster } from '../testing/synthetic.ts';
import { TelemetryStore } from './telemetryStore.ts';
import { eachGap, isUnwatched, watched_ms } from './watched.ts';

const BEGAN_MS = 1_000_000_000_000;
const at = (from_s: number, to_s: number) => ({ from_ms: BEGAN_MS + from_s * 1_000, to_ms: BEGAN_MS + to_s * 1_000 });

/** Watched from 0 to 10 s and, on a new connection, from 20 to 30 s. */
function watchedTwice(): TelemetryStore {
  const store = new TelemetryStore();
  const cluster = new SyntheticCluster({ began_ms: BEGAN_MS, frame_ms: 200 });
  store.take(cluster.welcome());
  for (let frame = 1; frame <= 150; frame += 1) {
    const told = cluster.frame();
    if (frame === 101) store.take(cluster.welcome());
    if (frame <= 50) store.take(told);
    else if (frame > 100) store.take({ ...told, number: frame - 100 });
  }
  return store;
}

const gapsOf = (store: TelemetryStore, span: { from_ms: number; to_ms: number }) => {
  const gaps: number[][] = [];
  eachGap(store.totals, span, (from_ms, to_ms) => gaps.push([from_ms, to_ms].map((ms) => Math.round(ms - BEGAN_MS) / 1_000)));
  return gaps;
};

test('unwatched time does not count', () => {
  const { totals } = watchedTwice();
  expect(watched_ms(totals, at(-60, 60))).toBeCloseTo(20_000);
  expect(watched_ms(totals, at(12, 18))).toBe(0);
  expect(watched_ms(new TelemetryStore().totals, at(0, 60))).toBe(0);
});

test('gaps lie before the first watched time and between two, and end with the span; the future is not a gap', () => {
  const store = watchedTwice();
  expect(gapsOf(store, at(-5, 60))).toEqual([
    [-5, 0],
    [10, 20],
  ]);
  expect(gapsOf(store, at(12, 18))).toEqual([[12, 18]]);
  expect(gapsOf(store, at(2, 9))).toEqual([]);
  expect(gapsOf(store, at(31, 60))).toEqual([]);
});

test('a span within a gap is unwatched; a partly watched span is not, and a future span is not a gap', () => {
  const { totals } = watchedTwice();
  expect([at(-9, -1), at(12, 18), at(15, 15.2)].map((span) => isUnwatched(totals, span))).toEqual([true, true, true]);
  expect([at(5, 5.1), at(5.05, 5.1), at(9, 12), at(19, 21), at(0, 60), at(31, 40)].map((span) => isUnwatched(totals, span))).toEqual([
    false,
    false,
    false,
    false,
    false,
    false,
  ]);
});
