import { expect, it } from 'vitest';
import { SyntheticCluster } from '../../testing/synthetic.ts';
import { TelemetryStore } from '../../store/telemetryStore.ts';
import { lengthOf, NO_FILTER, passes, totalWait, touches } from './filter.ts';

const store = new TelemetryStore();
for (const message of new SyntheticCluster().messages(200)) store.take(message);
const samples = store.samples.list({ from_ms: -Infinity, to_ms: Infinity });
const counted = (wanted: (sample: (typeof samples)[number]) => boolean) => samples.filter(wanted).length;

it('without a filter all match; each filter selects its matches', () => {
  expect(counted((sample) => passes(sample, NO_FILTER))).toBe(samples.length);
  const [{ label }] = samples as [(typeof samples)[number]];
  for (const [filter, wanted] of [
    [{ label }, (sample) => sample.label === label],
    [{ outcome: 'aborted' }, (sample) => sample.outcome === 'aborted'],
    [{ outcome: 'committed' }, (sample) => sample.outcome === 'committed'],
    [{ outcome: 'retried' }, (sample) => sample.retries > 0],
    [{ slowerThan_ms: 5 }, (sample) => sample.ended_ms - sample.begun_ms >= 5],
  ] as [Partial<typeof NO_FILTER>, (sample: (typeof samples)[number]) => boolean][]) {
    const passed = samples.filter((sample) => passes(sample, { ...NO_FILTER, ...filter }));
    expect(passed.every(wanted), JSON.stringify(filter)).toBe(true);
    expect(passed.length, JSON.stringify(filter)).toBe(counted(wanted));
  }
});

it('a sample touches the records of its operations, and no others', () => {
  const keysOf = ({ attempts }: (typeof samples)[number]) =>
    attempts.flatMap(({ requests }) => requests.flatMap(({ operations }) => operations.map(({ key }) => key)));
  const keys = [...new Set(samples.flatMap(keysOf))];
  expect(keys.length).toBeGreaterThan(1);
  for (const sample of samples) expect(keys.filter((key) => touches(sample, key)).sort()).toEqual([...new Set(keysOf(sample))].sort());
});

it('operations of a request wait in parallel: the longest wait counts', () => {
  for (const sample of samples) {
    const waits = sample.attempts.flatMap(({ requests }) =>
      requests.map(({ operations }) => Math.max(0, ...operations.map(({ waitedMs }) => waitedMs))),
    );
    expect(totalWait(sample)).toBeCloseTo(
      waits.reduce((sum, wait) => sum + wait, 0),
      6,
    );
    expect(lengthOf(sample)).toBeGreaterThanOrEqual(0);
  }
});
