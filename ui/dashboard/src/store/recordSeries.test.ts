import { expect, it } from 'vitest';
import { RecordSeries } from './recordSeries.ts';

it('runs of too many clients share a mode, so that other modes find room', () => {
  const series = new RecordSeries();
  for (let client = 1; client <= 100; client += 1) series.numberOf(`run of app-${client}`);
  const read = series.numberOf('read');
  expect(series.modes[read]).toBe('read');
  expect(series.modes[series.numberOf('run of app-1')]).toBe('run of app-1');
  expect(series.modes[series.numberOf('run of app-90')]).toBe('run of another client');
  expect(series.modes.length).toBeLessThan(30);
});
