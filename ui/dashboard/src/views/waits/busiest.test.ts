import { expect, it } from 'vitest';
import { SyntheticCluster } from '../../testing/synthetic.ts';
import { TelemetryStore } from '../../store/telemetryStore.ts';
import { busiestWait, waitingAt } from './busiest.ts';

/** So many wait at each of the frames that follow each other. */
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

it('the busiest moment is the latest of those at which most waited, within the span', () => {
  const { store, times } = told(1, 7, 2, 7, 3);
  expect(busiestWait(store, ALL)).toEqual({ at_ms: times[3], waiting: 7 });
  expect(busiestWait(store, { from_ms: times[2]!, to_ms: times[3]! })).toEqual({ at_ms: times[2], waiting: 2 });
});

it('there is none where nobody waited, or nobody told', () => {
  expect(busiestWait(told(0, 0).store, ALL)).toBeNull();
  expect(busiestWait(new TelemetryStore(), ALL)).toBeNull();
});

it('between two frames as many wait as the first one told', () => {
  const { store, times } = told(4, 9);
  expect([times[0]! - 1, times[0]!, times[1]! - 1, times[1]!, times[1]! + 5_000].map((at_ms) => waitingAt(store, at_ms))).toEqual([
    0, 4, 4, 9, 9,
  ]);
});
