import { expect, it } from 'vitest';
import { SyntheticCluster } from '../../testing/synthetic.ts';
import { TelemetryStore } from '../../store/telemetryStore.ts';
import { busiestWait, waitingAt } from './busiest.ts';

/** A store with this number of waiting transactions at each of consecutive frames. */
function told(...waiting: number[]) {
  const cluster = new SyntheticCluster({ shards: 1 });
  const store = new TelemetryStore();
  store.take(cluster.welcome());
  const times = waiting.map((count) => {
    const frame = cluster.frame();
    frame.shards[0]!.telemetry.waiting = count;
    store.take(frame);
    return frame.at_ms;
  });
  return { store, times };
}

const ALL = { from_ms: -Infinity, to_ms: Infinity };

it('the busiest moment is the latest one with the most waiters within the span', () => {
  const { store, times } = told(1, 7, 2, 7, 3);
  expect(busiestWait(store, ALL)).toEqual({ at_ms: times[3], waiting: 7 });
  expect(busiestWait(store, { from_ms: times[2]!, to_ms: times[3]! })).toEqual({ at_ms: times[2], waiting: 2 });
});

it('there is none without waiters or without reports', () => {
  expect(busiestWait(told(0, 0).store, ALL)).toBeNull();
  expect(busiestWait(new TelemetryStore(), ALL)).toBeNull();
});

it('between two frames the number of waiters is that of the first', () => {
  const { store, times } = told(4, 9);
  expect([times[0]! - 1, times[0]!, times[1]! - 1, times[1]!, times[1]! + 5_000].map((at_ms) => waitingAt(store, at_ms))).toEqual([
    0, 4, 4, 9, 9,
  ]);
});
